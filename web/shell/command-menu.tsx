import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ask, client } from '../base/api.ts'
import { useFrame } from '../base/frame.ts'
import { useGo } from '../base/go.tsx'
import { Glyph, type GlyphName } from '../base/kit/glyph.tsx'
import { Window } from '../base/kit/window.tsx'
import { useMembers } from '../base/lists.ts'
import { paths } from '../base/paths.ts'
import { placeText } from '../base/place-name.ts'
import type { Entry } from '../base/room.ts'
import { useHere } from '../base/site.tsx'
import { t } from '../base/words.ts'

type Found = { key: string; glyph: GlyphName; label: string; says: string; to: string }

const PAUSE_MS = 200
const MOST_PERMITS = 8
const MOST_OTHERS = 5

/** Returns the typed text, once typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/** Permits by number and text, as the service finds them; a number alone is a permit's number. */
function usePermits(site_id: string, said: string) {
  const q = usePaused(said.trim())
  const found = useQuery({
    queryKey: ['permits', 'menu', site_id, q],
    queryFn: () => ask(client.GET('/permits', { params: { query: { site_id, q, limit: MOST_PERMITS, reasons: false } } })),
    enabled: q !== '',
    placeholderData: before => before,
  })
  return { rows: q === '' ? [] : (found.data ?? []), pending: said.trim() !== q || (q !== '' && found.isFetching) }
}

/** Finds permits, people, places and pages by a few letters, and opens the selected one. */
export default function CommandMenu({ entries, onClose }: { entries: readonly Entry[]; onClose(): void }) {
  const here = useHere()
  const go = useGo()
  const [said, setSaid] = useState('')
  const [at, setAt] = useState(0)
  const text = said.trim().toLowerCase()
  const has = (name: string) => name.toLowerCase().includes(text)
  const begins = (name: string) => name.toLowerCase().startsWith(text)
  const permits = usePermits(here.site_id, said)
  const members = useMembers(here.site_id)
  const mapped = here.can('map_view') && !here.groups_off.includes('map')
  const places = useFrame(here.site_id, mapped)
  const pages: Found[] = entries
    .filter(entry => has(t(entry.label)))
    // A page whose name starts with the typed text comes first: Enter opens it.
    .sort((a, b) => Number(begins(t(b.label))) - Number(begins(t(a.label))))
    .map(entry => ({ key: entry.label, glyph: entry.glyph, label: t(entry.label), says: t('menu.page'), to: entry.to(here.site_id) }))
  const found: Found[] =
    text === ''
      ? pages
      : [
          ...permits.rows.map(
            (card): Found => ({
              key: card.id,
              glyph: 'card',
              label: card.title ?? t('permit.untitled'),
              says: [card.permit_number, placeText(card, places.data)].filter(Boolean).join(' · '),
              to: paths.permit(here.site_id, card.id),
            }),
          ),
          ...pages,
          ...(members.data ?? [])
            .filter(person => has(person.name))
            .slice(0, MOST_OTHERS)
            .map(
              (person): Found => ({
                key: person.user_id,
                glyph: 'person',
                label: person.name,
                says: t('menu.person'),
                to: here.can('member_invite')
                  ? `${paths.members(here.site_id)}?${new URLSearchParams({ q: person.name })}`
                  : paths.board(here.site_id, { receiver: person.user_id }),
              }),
            ),
          // A page of the site may have read them although the search leaves them out.
          ...(mapped ? (places.data ?? []) : [])
            .filter(place => has(place.name ?? ''))
            .slice(0, MOST_OTHERS)
            .map(
              (place): Found => ({
                key: place.id,
                glyph: 'pin',
                label: place.name ?? '',
                says: t('menu.place'),
                to: paths.map(here.site_id, { chosen: place.id, ...(place.kind === 'building' ? { building: place.id } : {}) }),
              }),
            ),
        ]
  const chosen = Math.min(at, found.length - 1)
  const choose = (one: Found | undefined) => {
    if (one === undefined) return
    onClose()
    go(one.to)
  }
  return (
    <Window title={t('menu.title')} onClose={onClose} onSubmit={() => choose(found[chosen])}>
      <input
        className="input"
        data-first
        role="combobox"
        aria-expanded
        aria-controls="command-list"
        aria-activedescendant={found[chosen] === undefined ? undefined : `command-${chosen}`}
        aria-label={t('menu.hint')}
        placeholder={t('menu.hint')}
        value={said}
        onChange={event => {
          setSaid(event.target.value)
          setAt(0)
        }}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
          else return
          event.preventDefault()
        }}
      />
      <div id="command-list" role="listbox" aria-label={t('menu.title')} className="commands">
        {found.map((one, i) => (
          <div
            key={one.key}
            id={`command-${i}`}
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            className="item"
            onClick={() => choose(one)}
            onKeyDown={event => {
              if (event.key === 'Enter') choose(one)
            }}
          >
            <Glyph name={one.glyph} />
            <span className="grow found">
              <span>{one.label}</span>
              <span className="soft small">{one.says}</span>
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="soft" role="status">
          {t(permits.pending ? 'menu.searching' : 'menu.nothing')}
        </p>
      )}
    </Window>
  )
}
