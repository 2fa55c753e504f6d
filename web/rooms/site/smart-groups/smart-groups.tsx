import { useEffect } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { paths } from '../../../base/paths.ts'
import { usePinnedGroups } from '../../../base/pins.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { SettingsTabs } from '../settings/door.tsx'
import { type Filter, useCounts, useGroups, useGroupsOf } from './data.ts'
import { pinnedFirst, type SmartGroup, SUBJECTS, VISIBILITIES } from './draft.ts'
import { GroupLine, MapLink } from './parts/group-line.tsx'
import { PinButton } from './parts/pin-button.tsx'
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
  const { ids: pins } = usePinnedGroups(here)
  const pinned = useGroupsOf(here.site_id, pins, filter)
  const paged = groups.data?.pages.flatMap(page => page.rows) ?? []
  const rows = pinnedFirst(pins, pinned.data ?? [], paged)
  const counts = useCounts(
    here.site_id,
    rows.map(group => group.id),
  )
  const isPinned = (group: SmartGroup) => pins.includes(group.id)
  const section = (group: SmartGroup) =>
    isPinned(group)
      ? {
          key: 'pinned',
          head: (
            <>
              <h2>{t('groups.pinned')}</h2>
              <p className="soft small">{t('groups.pinned_says')}</p>
            </>
          ),
        }
      : { key: 'others', head: <h2>{t('groups.others')}</h2> }
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
        actionsOf={group => (
          <>
            <MapLink group={group} />
            <PinButton group={group} />
          </>
        )}
        {...(rows.some(isPinned) ? { groupOf: section } : {})}
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
