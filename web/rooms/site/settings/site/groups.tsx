import { SWITCHABLE_GROUPS, type SwitchableGroup } from '../../../../../shared/groups.ts'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { SavedTick } from '../../../../base/kit/saved-tick.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'
import { changeSite, type Site, siteNow } from './data.ts'

/** Which groups of pages the navigation of the site shows. */
export function GroupsPart({ site }: { site: Site }) {
  const { canChange } = useHere()
  const sending = useSend()
  const off = site.settings.groups?.off ?? []
  const turn = (group: SwitchableGroup, shown: boolean) => {
    const next = SWITCHABLE_GROUPS.filter(one => (one === group ? !shown : off.includes(one)))
    return changeSite(siteNow(site), { settings: { groups: { off: next } } })
  }
  return (
    <section className="panel stack" aria-labelledby="groups">
      <h2 id="groups">{t('site.groups')}</h2>
      <p className="says">{t('site.groups_says')}</p>
      {SWITCHABLE_GROUPS.map(group => (
        <SavedTick
          key={group}
          label={t(`site.groups_${group}`)}
          hint={t(`site.groups_${group}_says`)}
          checked={!off.includes(group)}
          disabled={!canChange('site_administer')}
          sending={sending}
          save={shown => turn(group, shown)}
          said={t('common.saved')}
        />
      ))}
      {sending.fault !== null && <FaultNote error={sending.fault} />}
    </section>
  )
}
