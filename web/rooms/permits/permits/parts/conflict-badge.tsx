import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { useClashBadges } from '../data.ts'

/** Says on a card with how many other permits it conflicts. */
export function ConflictBadge({ permit_id }: { permit_id: string }) {
  const { site_id } = useHere()
  const badge = useClashBadges(site_id).get(permit_id)
  if (badge === undefined) return null
  return (
    <>
      {badge.red > 0 && (
        <span className="badge stop">
          <Glyph name="stop" size={14} />
          {t('badge.red', { n: badge.red })}
        </span>
      )}
      {badge.amber > 0 && <span className="badge warn">{t('badge.amber', { n: badge.amber })}</span>}
    </>
  )
}
