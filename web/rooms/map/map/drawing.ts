// Saving changes to the site frame: one call for what was drawn, and the call that undoes it.
import { ask, client, freshKey, ifMatch, type Schemas, versionOf } from '../../../base/api.ts'
import { Fault } from '../../../base/fault.ts'
import { toast, toastFault } from '../../../base/kit/note.tsx'
import { frameMoved, readBoundary } from './data.ts'
import { type Feature, type Ground, groundIn } from './model.ts'
import { t } from './says.ts'
import { bodyOf, type Form, inverseOf, type Kind } from './sketching.ts'

/** The result of saving: what to show, and how to undo it. */
export type Saved = {
  id: string | null
  overlaps: readonly { id: string; name: string; overlap_m2: number }[]
  unplaced: number
  outside: number
  /** Undoes it; null if nothing can. */
  undo: (() => void) | null
}

/** The button of a toast that undoes what was saved. */
export const undoOf = ({ undo }: Saved) => (undo === null ? {} : { undo: { label: t('draw.undo'), run: undo } })

type Given = { site_id: string; kind: Kind; feature: Feature | null; boundary: Ground | null; form: Form; ground: Ground }

const levelName = (index: number): string =>
  index === 0 ? t('draw.ground_level') : index < 0 ? t('draw.basement', { n: -index }) : t('draw.level_n', { n: index })

/** Says that something has been undone once it is, or why it can’t be. */
export const sayUndone = (back: Promise<unknown>): Promise<void> => back.then(() => toast(t('draw.undone')), toastFault)

/** Undoes a change, and reports it. */
const undoing = (site_id: string, back: () => Promise<unknown>) => () => {
  void sayUndone(back()).finally(() => frameMoved(site_id))
}

/** Replaces a boundary that is still as the person saw it, or removes it; if someone has changed it since, theirs stays. */
async function replaceBoundary(site_id: string, seen: Ground | null, by: Ground | null): Promise<Schemas['Boundary'] | undefined> {
  const params = { path: { site_id } }
  const now = await readBoundary(site_id)
  if (JSON.stringify(groundIn(now.data.geometry)) !== JSON.stringify(seen))
    throw new Fault(412, { code: 'version_conflict', detail: t('draw.boundary_changed') }, null)
  const headers = ifMatch(versionOf(now.headers))
  if (by !== null) return ask(client.PUT('/sites/{site_id}/boundary', { params, body: { geometry: by }, headers }))
  await ask(client.DELETE('/sites/{site_id}/boundary', { params, headers }))
}

async function putBoundary({ site_id, boundary, ground }: Given): Promise<Saved> {
  const made = await replaceBoundary(site_id, boundary, ground)
  return {
    id: null,
    overlaps: [],
    unplaced: 0,
    outside: made?.outside?.features ?? 0,
    undo: undoing(site_id, () => replaceBoundary(site_id, groundIn(made?.geometry), boundary)),
  }
}

/** Saves what was drawn. */
export async function draw(given: Given): Promise<Saved> {
  const { site_id, kind, feature, form, ground } = given
  try {
    if (kind === 'boundary') return await putBoundary(given)
    const body = bodyOf(kind, form, ground, feature?.levels ?? [], levelName)
    const said = (made: Feature, back: () => Promise<unknown>): Saved => ({
      id: made.id,
      overlaps: made.overlap_warnings ?? [],
      unplaced: made.unresolved_permit_locations?.length ?? 0,
      outside: 0,
      undo: undoing(site_id, back),
    })
    if (feature === null) {
      const made = await ask(client.POST('/reference-features/zones', { body: { site_id, kind, ...body }, headers: freshKey() }))
      return said(made, () => end(made, made.valid_from))
    }
    const path = { feature_id: feature.id }
    const made = await ask(
      client.PATCH('/reference-features/features/{feature_id}', { params: { path }, body, headers: ifMatch(feature.version) }),
    )
    const back = { ...inverseOf(feature), ...(form.effective_at === null ? {} : { effective_at: form.effective_at }) }
    return said(made, () =>
      ask(client.PATCH('/reference-features/features/{feature_id}', { params: { path }, body: back, headers: ifMatch(made.version) })),
    )
  } finally {
    frameMoved(site_id)
  }
}

const end = ({ id, version }: Feature, effective_at: string | null) =>
  ask(
    client.DELETE('/reference-features/features/{feature_id}', {
      params: { path: { feature_id: id }, query: effective_at === null || Date.parse(effective_at) <= Date.now() ? {} : { effective_at } },
      headers: ifMatch(version),
    }),
  )

/** Ends a feature; returns the input that recreates it, because an ended feature never returns under its own id. */
export async function endFeature(site_id: string, feature: Feature, effective_at: string | null): Promise<() => void> {
  await end(feature, effective_at)
  frameMoved(site_id)
  return undoing(site_id, () =>
    ask(
      client.POST('/reference-features/zones', {
        body: { site_id, kind: feature.kind, ...inverseOf(feature) },
        headers: freshKey(),
      }),
    ),
  )
}
