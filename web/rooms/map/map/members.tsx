// A smart group as a filter of the map: only its members are shown, and the map says so.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { askWhole, client, nextOf, type Schemas } from '../../../base/api.ts'
import { Go, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Choice } from '../../../base/kit/field.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { FaultNote, Note } from '../../../base/kit/note.tsx'
import { useSmartGroups } from '../../../base/lists.ts'
import { paths } from '../../../base/paths.ts'
import { usePinnedGroups } from '../../../base/pins.ts'
import { useHere } from '../../../base/site.tsx'
import { viewedAt } from './data.ts'
import { AGAIN_MS } from './followed.ts'
import { t } from './says.ts'

const AT_ONCE = 1000

/** The ids of what the map shows; null: everything. */
export type Only = ReadonlySet<string> | null

/** Reads a group with all members that the caller sees at an instant (null: now). */
async function membersOf(group_id: string, at: string | null): Promise<{ name: string; ids: string[] }> {
  const ids: string[] = []
  const query = { include: ['members' as const], limit: AT_ONCE, ...(at === null ? {} : { at }) }
  for (let cursor: string | null = null; ; ) {
    const page: { data: Schemas['SmartGroup']; headers: Headers } = await askWhole(
      client.GET('/smart-groups/{group_id}', {
        params: { path: { group_id }, query: { ...query, ...(cursor === null ? {} : { cursor }) } },
      }),
    )
    ids.push(...(page.data.members ?? []).map(member => member.id))
    cursor = nextOf(page.headers)
    if (cursor === null) return { name: page.data.name, ids }
  }
}

/** The kinds that a group can select. */
const EVERY_KIND = ['worker', 'plant', 'delivery', 'active_area', 'permit']
const NOBODY: ReadonlySet<string> = new Set()

function useMembersAsked(site_id: string, group_id: string | undefined, at: string | null) {
  const { placeholderData: _before, ...options } = viewedAt(at, EVERY_KIND)
  return useQuery({
    ...options,
    // A condition can ask for the time itself.
    refetchInterval: at === null ? AGAIN_MS : false,
    queryKey: ['group-members', site_id, group_id, at],
    queryFn: () => membersOf(group_id ?? '', at),
    enabled: group_id !== undefined,
  })
}

/** Which things the map shows with a group chosen: none until its members are known, and all if they can't be loaded, which the note says. */
export function useMembers(site_id: string, group_id: string | undefined, at: string | null): Only {
  const { data, error } = useMembersAsked(site_id, group_id, at)
  return useMemo(() => {
    if (group_id === undefined || (error !== null && data === undefined)) return null
    return data === undefined ? NOBODY : new Set(data.ids)
  }, [group_id, data, error])
}

/** Returns those of these things that the map shows. */
export const among = <T extends { id: string }>(all: readonly T[], only: Only): readonly T[] =>
  only === null ? all : all.filter(({ id }) => only.has(id))

/** Says that the map shows only the members of a group, and how many of them it has now. */
export function MembersNote({ site_id, at }: { site_id: string; at: string | null }) {
  const [{ group }, setPlace] = usePlace()
  const { data, error, refetch } = useMembersAsked(site_id, group, at)
  if (group === undefined) return null
  const everything = <Button onClick={() => setPlace({ group: undefined })}>{t('layer.everything')}</Button>
  if (error !== null && data === undefined)
    return (
      <div className="stack tight">
        <FaultNote error={error} onRetry={() => void refetch()} />
        <Note kind="warn">
          <p>{t('layer.group_failed')}</p>
          {everything}
        </Note>
      </div>
    )
  return (
    <Note kind="act">
      <p role="status">{data === undefined ? t('layer.group_loading') : t('layer.group_shown', { name: data.name, n: data.ids.length })}</p>
      {everything}
    </Note>
  )
}

/** How many of the pinned groups are offered as buttons; more would hide the rest of the panel. */
const BUTTONS = 4

/** Chooses the smart group whose members the map shows, with those that the person has pinned first, and leads to where groups are made. */
export function GroupChoice({ site_id }: { site_id: string }) {
  const [{ group = '' }, setPlace] = usePlace()
  const here = useHere()
  const { data: groups = [] } = useSmartGroups(site_id, true)
  const { ids } = usePinnedGroups(here)
  const pinned = ids.flatMap(id => groups.find(one => one.id === id) ?? [])
  const others = groups.filter(({ id }) => !ids.includes(id))
  const choose = (id: string) => setPlace({ group: id === '' ? undefined : id })
  const offered = (list: typeof groups) => list.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="stack tight">
      {pinned.length > 0 && (
        <fieldset className="fieldset stack tight">
          <legend>{t('layer.group_pinned')}</legend>
          <span className="pinned-groups">
            {pinned.slice(0, BUTTONS).map(({ id, name }) => (
              <Button key={id} aria-pressed={id === group} onClick={() => choose(id === group ? '' : id)}>
                <Glyph name="star" />
                <bdi>{name}</bdi>
              </Button>
            ))}
          </span>
        </fieldset>
      )}
      {groups.length > 0 && (
        <Choice
          label={t('layer.group')}
          hint={t('layer.group_hint')}
          empty={t('layer.group_none')}
          options={pinned.length > 0 ? [] : offered(others)}
          groups={
            pinned.length > 0
              ? [
                  { label: t('layer.group_pinned'), options: offered(pinned) },
                  ...(others.length > 0 ? [{ label: t('layer.group_others'), options: offered(others) }] : []),
                ]
              : []
          }
          value={groups.some(({ id }) => id === group) ? group : ''}
          onChange={event => choose(event.target.value)}
        />
      )}
      {here.can('smart_group_edit') && (
        <Go className="small" to={paths.smartGroups(site_id)}>
          {t('layer.group_manage')}
        </Go>
      )}
    </div>
  )
}
