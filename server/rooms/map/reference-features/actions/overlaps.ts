import { boundsOf, middleOf, planeAt } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { laid, sharedArea } from '../../../../kernel/geometry/door.ts'
import type { Span } from '../../../../kernel/versions/domain.ts'
import { type Content, type FeatureKind, lyingOver, MOST_OF_IT } from '../domain/features.ts'
import type { Held } from '../queries/parents.ts'
import { type Rival, rivalsOf } from '../queries/versions.ts'

/** Another feature on the same ground, as the API shows it. */
export type Overlap = {
  id: Id
  kind: FeatureKind
  code: string | null
  name: string
  overlap_m2: number
  share_of_mine: number
  share_of_theirs: number
}

/** What a feature's ground means for others: overlaps that refuse it, overlaps that need a warning, and which area contains which version. */
export type Ground = { refused: Overlap[]; warned: Overlap[]; held(version_id: Id, feature_id: Id): Held[] }

const hundredths = (value: number) => Math.round(value * 100) / 100
const share = (part: number, whole: number) => Math.min(1, Math.round((part / Math.max(whole, 0.001)) * 10_000) / 10_000)

/** Compares a feature with everything that is active on its ground during its time. */
export async function groundTaken(
  ctx: Ctx,
  site_id: Id,
  one: { kind: FeatureKind; content: Content; span: Span; own: Id },
): Promise<Ground> {
  const { kind, content, span, own } = one
  const box = boundsOf(content.geometry)
  const kinds: FeatureKind[] = kind === 'area' ? ['area', 'building', 'zone'] : [kind, 'area']
  const rivals = await rivalsOf(ctx.db, site_id, { kinds, span, box, own })
  const plane = planeAt(middleOf(box))
  const mine = laid(content.geometry, plane)
  const met: { rival: Rival; overlap_m2: number; verdict: 'allow' | 'warn' | 'refuse'; theirs_m2: number }[] = []
  for (const rival of rivals) {
    const theirs = laid(rival.geometry, plane)
    const overlap_m2 = sharedArea(mine, theirs)
    if (overlap_m2 > 0)
      met.push({ rival, overlap_m2, verdict: lyingOver({ kind, ...content }, rival, overlap_m2), theirs_m2: theirs.area_m2 })
  }
  const named = (verdict: 'warn' | 'refuse'): Overlap[] => {
    const worst = new Map<Id, Overlap>()
    for (const { rival, overlap_m2, verdict: said, theirs_m2 } of met) {
      if (said !== verdict || (worst.get(rival.feature_id)?.overlap_m2 ?? 0) >= overlap_m2) continue
      worst.set(rival.feature_id, {
        id: rival.feature_id,
        kind: rival.kind,
        code: rival.code,
        name: rival.name,
        overlap_m2: hundredths(overlap_m2),
        share_of_mine: share(overlap_m2, mine.area_m2),
        share_of_theirs: share(overlap_m2, theirs_m2),
      })
    }
    return [...worst.values()].sort((a, b) => b.overlap_m2 - a.overlap_m2 || (a.id < b.id ? -1 : 1))
  }
  return {
    refused: named('refuse'),
    warned: named('warn'),
    held: (version_id, feature_id) =>
      met.flatMap(({ rival, overlap_m2, theirs_m2 }) => {
        const valid_from = rival.valid_from > span.valid_from ? rival.valid_from : span.valid_from
        const valid_to =
          rival.valid_to === null
            ? span.valid_to
            : span.valid_to === null || rival.valid_to < span.valid_to
              ? rival.valid_to
              : span.valid_to
        const times = { valid_from, valid_to }
        if (kind === 'area' && rival.kind !== 'area' && overlap_m2 > MOST_OF_IT * theirs_m2)
          return [
            { version_id: rival.version_id, area_version_id: version_id, area_id: feature_id, share: overlap_m2 / theirs_m2, ...times },
          ]
        if (kind !== 'area' && rival.kind === 'area' && overlap_m2 > MOST_OF_IT * mine.area_m2)
          return [{ version_id, area_version_id: rival.version_id, area_id: rival.feature_id, share: overlap_m2 / mine.area_m2, ...times }]
        return []
      }),
  }
}
