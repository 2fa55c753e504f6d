import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import type { Rule } from '../model.ts'
import { t } from '../says.ts'

/** A rule in a list: its name, its content in a sentence, how often it sent messages. */
export function RuleLine({ rule }: { rule: Rule }) {
  const { site_id } = useHere()
  return (
    <div className="stack tight grow">
      <span className="row">
        <Go className="strong" data-open to={paths.rule(site_id, rule.id)}>
          {rule.name}
        </Go>
        <RuleBadges rule={rule} />
      </span>
      <span className="small">{rule.explanation}</span>
      <Fired rule={rule} />
    </div>
  )
}

/** Shows whether a rule is on, and whether it can be changed. */
export function RuleBadges({ rule }: { rule: Rule }) {
  return (
    <>
      <span className={`badge ${rule.enabled ? 'act' : 'soft'}`}>{t(rule.enabled ? 'rules.on' : 'rules.off')}</span>
      {rule.locked && <span className="badge soft">{t('rules.fixed')}</span>}
      {rule.urgency !== 'info' && <span className="badge soft">{t(`urgency.${rule.urgency}`)}</span>}
    </>
  )
}

/** Shows how often a rule sent messages recently, and whether it is paused. */
export function Fired({ rule }: { rule: Rule }) {
  const here = useHere()
  return (
    <>
      <span className="soft small">
        {rule.fired_30d === 0
          ? t('rules.never_fired')
          : `${t('rules.fired', { n: rule.fired_30d })}, ${t('rules.reached', { n: rule.reached_30d })}`}
      </span>
      {rule.paused_until !== null && (
        <span className="row">
          <span className="badge warn">{t('rules.rests', { when: momentOf(rule.paused_until, here.zone) })}</span>
        </span>
      )}
    </>
  )
}
