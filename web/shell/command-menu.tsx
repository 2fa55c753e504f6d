import { useState } from 'react'
import { useGo } from '../base/go.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { Window } from '../base/kit/window.tsx'
import type { Entry } from '../base/room.ts'
import { useHere } from '../base/site.tsx'
import { t } from '../base/words.ts'

/** Goes anywhere by a few letters. */
export function CommandMenu({ entries, onClose }: { entries: readonly Entry[]; onClose(): void }) {
  const here = useHere()
  const go = useGo()
  const [said, setSaid] = useState('')
  const [at, setAt] = useState(0)
  const found = entries.filter(entry => t(entry.label).toLowerCase().includes(said.trim().toLowerCase()))
  const chosen = Math.min(at, found.length - 1)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    go(entry.to(here.site_id))
  }
  return (
    <Window title={t('menu.title')} onClose={onClose} onSubmit={() => choose(found[chosen])}>
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: it was opened to type in.
        autoFocus
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
        {found.map((entry, i) => (
          <div
            key={entry.label}
            id={`command-${i}`}
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            className="item"
            onClick={() => choose(entry)}
            onKeyDown={event => {
              if (event.key === 'Enter') choose(entry)
            }}
          >
            <Glyph name={entry.glyph} />
            {t(entry.label)}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="soft">{t('menu.nothing')}</p>}
    </Window>
  )
}
