import { useMemo } from 'react'
import { collection } from './collections.ts'
import { StillMap, useSiteScene, widened } from './parts/still-map.tsx'
import { memberGrounds, memberSigns, type PlacedMember, positionsOf } from './placed-members.ts'
import { t } from './says.ts'

type Given = {
  members: readonly PlacedMember[]
  /** How many members there are in all: those that aren’t among these aren’t on the map, which the text says. */
  count: number
  /** The colour of the group. */
  colour: string | null
}

/** Shows where members of a smart group are, on the whole site, and says how many of them the map doesn’t show. `data-signs` is the number of its signs. */
export default function MembersInset({ members, count, colour }: Given) {
  const site = useSiteScene()
  const found = useMemo(() => {
    if (site === null) return null
    const { positions, without } = positionsOf(members, site.frame)
    const spots = positions.map(({ spot }) => spot)
    const scene = {
      ...site.scene,
      reach: collection(memberGrounds(members, colour)),
      tokens: collection(memberSigns(positions, colour, n => t('layer.members_together', { n }))),
    }
    return { scene, around: widened(site.around, spots), without, signs: spots.length }
  }, [site, members, colour])
  return (
    <div className="stack tight" data-signs={found?.signs}>
      {found?.signs !== 0 && <StillMap scene={found?.scene ?? null} around={found?.around ?? null} label={t('layer.members_map')} />}
      {found !== null && count > members.length && <p className="soft small">{t('layer.members_first', { n: members.length })}</p>}
      {found !== null && found.without > 0 && <p className="soft small">{t('layer.members_without', { n: found.without })}</p>}
    </div>
  )
}
