import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import type { SmartGroup } from '../draft.ts'
import { t } from '../says.ts'

/** A group in a list: its name, what it is of, who sees it, how many members it has, and its condition in words. */
export function GroupLine({ group, count }: { group: SmartGroup; count: number | undefined }) {
  const { site_id } = useHere()
  return (
    <div className="stack tight grow">
      <span className="row">
        <Go className="strong" data-open to={paths.smartGroup(site_id, group.id)}>
          {group.name}
        </Go>
        <GroupBadges group={group} />
        {count !== undefined && <span className="soft small">{t('groups.count', { n: count })}</span>}
      </span>
      <span className="small">{group.explanation}</span>
      {group.description !== null && <span className="soft small">{group.description}</span>}
    </div>
  )
}

/** What a group is of, who sees it, its colour, and whether something about it needs checking. */
export function GroupBadges({ group }: { group: SmartGroup }) {
  return (
    <>
      {group.colour !== null && <span className="swatch" style={{ background: group.colour }} aria-hidden />}
      <span className="badge soft">{t(`groups.subject.${group.subject}`)}</span>
      <span className={`badge ${group.visibility === 'shared' ? 'act' : 'soft'}`}>{t(`groups.visibility.${group.visibility}`)}</span>
      {group.warnings.length > 0 && (
        <span className="badge warn">
          <Glyph name="warning" size={14} />
          {t('groups.warned')}
        </span>
      )}
    </>
  )
}

/** Leads to the map that shows only the members of a group. Only for things on the site: many permits have no place on it. */
export function MapLink({ group }: { group: SmartGroup }) {
  const { site_id, can } = useHere()
  if (group.subject !== 'entity' || !can('map_view')) return null
  return (
    <Go className="btn" to={paths.map(site_id, { group: group.id })} aria-label={t('groups.on_map_one', { name: group.name })}>
      <Glyph name="map" />
      {t('groups.on_map')}
    </Go>
  )
}
