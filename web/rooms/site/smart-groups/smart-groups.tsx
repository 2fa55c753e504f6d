import { useEffect } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { SettingsTabs } from '../settings/door.tsx'
import { type Filter, useCounts, useGroups } from './data.ts'
import { SUBJECTS, VISIBILITIES } from './draft.ts'
import { GroupLine, MapLink } from './parts/group-line.tsx'
import { t } from './says.ts'
import './smart-groups.css'

/** The smart groups of a site: the shared ones, and the person’s own. */
export default function SmartGroups() {
  const here = useHere()
  const [place] = usePlace()
  const subject = SUBJECTS.find(one => one === place.subject)
  const visibility = VISIBILITIES.find(one => one === place.visibility)
  const q = place.q?.trim() ?? ''
  const filter: Filter = {
    ...(subject === undefined ? {} : { subject }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(q === '' ? {} : { q }),
  }
  const groups = useGroups(here.site_id, filter)
  const rows = groups.data?.pages.flatMap(page => page.rows) ?? []
  const counts = useCounts(
    here.site_id,
    rows.map(group => group.id),
  )
  useEffect(() => {
    document.title = `${t('groups.title')} · ${here.name}`
  }, [here.name])
  const add = (
    <Go className="btn primary" to={paths.smartGroup(here.site_id, 'new')}>
      <Glyph name="plus" />
      {t('groups.new')}
    </Go>
  )
  return (
    <div className="stack smart-groups">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part="smart-groups" />
      <p className="soft says">{t('groups.says')}</p>
      <Listing
        label={t('groups.title')}
        query={groups}
        rows={rows}
        idOf={group => group.id}
        nameOf={group => group.name}
        row={group => <GroupLine group={group} count={counts.data?.get(group.id)} />}
        actionsOf={group => <MapLink group={group} />}
        actions={add}
        search={{ label: t('groups.find') }}
        filters={[
          {
            name: 'subject',
            kind: 'choices',
            label: t('groups.subject'),
            options: SUBJECTS.map(value => ({ value, label: t(`groups.subject.${value}`) })),
          },
          {
            name: 'visibility',
            kind: 'choices',
            label: t('groups.visibility'),
            options: VISIBILITIES.map(value => ({ value, label: t(`groups.visibility.${value}`) })),
          },
        ]}
        empty={{ says: t('groups.none') }}
        more={{ has: groups.hasNextPage, busy: groups.isFetchingNextPage, load: () => void groups.fetchNextPage() }}
        height={72}
      />
    </div>
  )
}
