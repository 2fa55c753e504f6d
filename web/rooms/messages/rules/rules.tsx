import { useEffect } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import type { Bulk } from '../../../base/records/types.ts'
import { useHere } from '../../../base/site.tsx'
import { SettingsTabs } from '../../site/settings/door.tsx'
import { turnRule, useRules } from './data.ts'
import { inOrder, type Rule } from './model.ts'
import { RuleLine } from './parts/rule-line.tsx'
import { Turn } from './parts/turn.tsx'
import { t } from './says.ts'
import './rules.css'

const STATES = ['on', 'off'] as const

/** Switches several rules on or off. */
const turning = (on: boolean): Bulk<Rule> => ({
  label: t(on ? 'rules.turn_on' : 'rules.turn_off'),
  flagOf: rule => rule.permissions.switch,
  act: async rule => {
    if (rule.enabled !== on) await turnRule(rule, on)
  },
})

/** Notification rules: the site's own rules, then the standard ones. */
export default function Rules() {
  const here = useHere()
  const [place] = usePlace()
  const rules = useRules(here.site_id)
  useEffect(() => {
    document.title = `${t('rules.title')} · ${here.name}`
  }, [here.name])
  const state = STATES.find(one => one === place.state)
  const rows = inOrder(rules.data ?? []).filter(rule => state === undefined || rule.enabled === (state === 'on'))
  const has_none = rules.data !== undefined && !rules.data.some(rule => rule.source === 'site')
  const may = here.canChange('notification_rule_manage')
  const add = may && (
    <Go className="btn primary" to={paths.rule(here.site_id, 'new')}>
      <Glyph name="plus" />
      {t('rules.new')}
    </Go>
  )
  return (
    <div className="stack rules-page">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part="rules" />
      <div className="row spread">
        <p className="soft says">{t('rules.says')}</p>
        {!has_none && add}
      </div>
      {has_none && <Empty action={add || undefined}>{t('rules.none_own')}</Empty>}
      <Listing
        label={t('rules.title')}
        query={rules}
        rows={rows}
        idOf={rule => rule.id}
        nameOf={rule => rule.name}
        isPast={rule => !rule.enabled}
        row={rule => <RuleLine rule={rule} />}
        actionsOf={rule => <Turn rule={rule} />}
        groupOf={rule => ({ key: rule.source, head: <h2>{t(rule.source === 'site' ? 'rules.own' : 'rules.shipped')}</h2> })}
        search={{ label: t('rules.find'), texts: rule => [rule.name, rule.title, rule.explanation] }}
        filters={[
          {
            name: 'state',
            kind: 'choices',
            label: t('rules.state'),
            options: STATES.map(value => ({ value, label: t(`rules.state.${value}`) })),
          },
        ]}
        empty={{ says: t('rules.none_own') }}
        bulk={may ? ([true, false] as const).map(turning) : []}
        height={72}
      />
    </div>
  )
}
