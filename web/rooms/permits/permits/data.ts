// The requests of this room, and which queries a change makes stale.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { contentHashOf, contentOf } from '../../../../shared/proof/content.ts'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { SELDOM } from '../../../base/lists.ts'
import { type Done, type Item, outboxNow, perform } from '../../../base/outbox.ts'
import { queries, refetch } from '../../../base/query.ts'
import { t } from '../../../base/words.ts'
import { shows } from './arrived.ts'
import { bodyOf, type Permit, STEPS, type StepName, stepKey } from './steps.ts'

const NO_BADGES: ReadonlyMap<string, Schemas['ClashBadge']> = new Map()

/** With how many other permits the permits of a site conflict now or later, by their ids; permits without conflicts aren’t in it. */
export const useClashBadges = (site_id: string): ReadonlyMap<string, Schemas['ClashBadge']> =>
  useQuery({
    queryKey: ['conflicts', site_id],
    queryFn: () => ask(client.GET('/permits/applications/clash-badges', { params: { query: { site_id } } })),
    select: badgesById,
    staleTime: BADGES_MS,
    meta: { keep: true },
  }).data ?? NO_BADGES

/** The conflicts that a later end would add to a permit; nothing is asked without an end. */
export const useAdded = ({ id, site_id }: Pick<Permit, 'id' | 'site_id'>, end_at: string | undefined) =>
  useQuery({
    queryKey: ['conflicts', site_id, 'added', id, end_at],
    queryFn: () =>
      ask(
        client.POST('/permits/applications/conflicts/preview', {
          body: { site_id, permit_id: id, ...(end_at === undefined ? {} : { end_at }) },
        }),
      ),
    enabled: end_at !== undefined,
  })

const BADGES_MS = 15_000
const badgesById = (badges: readonly Schemas['ClashBadge'][]) => new Map(badges.map(badge => [badge.permit_id, badge]))

/** The query for one permit. */
export const permitQuery = (permit_id: string) =>
  queryOptions({
    queryKey: ['permit', permit_id],
    queryFn: () => ask(client.GET('/permits/applications/{permit_id}', { params: { path: { permit_id } } })),
    meta: { keep: true },
  })

/** One permit with all its details. */
export const usePermit = (permit_id: string) => useQuery(permitQuery(permit_id))

const AT_ONCE = 50

/** Returns several permits in full, in any order, however many they are. */
export async function permitsWhole(site_id: string, ids: readonly string[]): Promise<Permit[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
  const rows = await Promise.all(
    parts.map(id => ask(client.GET('/permits/applications', { params: { query: { site_id, id: [...id], limit: AT_ONCE } } }))),
  )
  return rows.flat()
}

const LAST = 5
const NONE: Schemas['PermitCard'][] = []

/** Returns this person's latest permits on the site, because the next request is often similar. */
export const useLastPermits = (site_id: string, user_id: string) =>
  useQuery({
    queryKey: ['permits', 'last', site_id, user_id],
    queryFn: () => ask(client.GET('/permits', { params: { query: { site_id, requestor_id: [user_id], limit: LAST, reasons: false } } })),
    staleTime: SELDOM,
    meta: { keep: true },
  }).data ?? NONE

const SHOW_PERMITS = ['permits', 'wallet', 'tasks', 'unread'] as const

/** Refetches everything that shows permits; resolves once that is done. With `whole`, the open permit too. */
export const permitsMoved = (permit_id: string | null, whole = true): Promise<void> =>
  refetch(
    new Map([
      ...SHOW_PERMITS.map(name => [name, permit_id === null ? null : new Set([permit_id])] as const),
      ...(permit_id !== null && whole ? [[`permit ${permit_id}`, null] as const] : []),
    ]),
  )

/**
 * Returns what was shown on screen when it was signed: the permit, including the person's own files that will be sent from this phone before the signature. Their
 * hashes are known here, so a photo that is sent first does not make the signature invalid.
 */
async function seenHash(permit: Permit): Promise<string> {
  const waiting = outboxNow().items.filter(item => item.subject.id === permit.id && item.state === 'here' && item.file !== undefined)
  if (waiting.length === 0 || (await contentHashOf(permit, permit.attachments)) !== permit.content_hash) return permit.content_hash
  const own = waiting.flatMap(({ file }) => (file === undefined ? [] : [{ slot: file.slot, filename: file.name, sha256: file.sha256 }]))
  return contentHashOf(permit, [...permit.attachments, ...own])
}

/** Returns the name under which this device keeps the text of a step that isn't taken yet, wherever it is typed. */
export const stepForm = (permit: Pick<Permit, 'id'>, step: StepName): string => `step ${permit.id} ${step}`

/** Takes a step. The response is shown immediately; a step that is only saved here says so. */
export async function takeStep(permit: Permit, step: StepName, filled: Readonly<Record<string, unknown>>): Promise<Done> {
  const signs = STEPS[step].signs === true
  const label = permit.permit_number ?? permit.title ?? t('permit.untitled')
  const done = await perform({
    site_id: permit.site_id,
    subject: { kind: 'permit', id: permit.id, label },
    says: `${t(stepKey(step))}: ${label}`,
    method: 'POST',
    path: `/permits/applications/${permit.id}/${STEPS[step].path}`,
    body: bodyOf(step, filled, {
      content_hash: signs ? await seenHash(permit) : permit.content_hash,
      conflicts_hash: permit.conflicts_hash,
      stopped: permit.stopped,
    }),
    step,
    ...(signs ? { seen: contentOf(permit, permit.attachments) } : {}),
  })
  if (done.outcome === 'accepted') {
    const answer = (done.data ?? {}) as Partial<Permit> // steps return the permit; extensions and reissue return something else
    if (answer.id === permit.id && answer.permissions !== undefined) queries.setQueryData(['permit', permit.id], answer)
    void permitsMoved(permit.id, answer.id !== permit.id)
  }
  return done
}

/** Returns whether an action on a permit from days ago, whose response was lost, has arrived. */
export const hasArrived = async (item: Item): Promise<boolean> =>
  shows(await ask(client.GET('/permits/applications/{permit_id}', { params: { path: { permit_id: item.subject.id } } })), item)
