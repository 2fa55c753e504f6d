import { Go } from '../../../../base/go.tsx'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useClashSummary } from '../../clashes/door.ts'
import { changeRule } from '../data.ts'
import { type Rule, severityOf, sourceOf } from '../model.ts'
import { t } from '../says.ts'

const LOOKS = { amber: 'warn', red: 'stop', matrix: '' } as const
const GLYPHS = { amber: 'warning', red: 'stop', matrix: 'table' } as const

/** A rule in a list: its name, how severe it is, and what it finds, in words. */
export function RuleLine({ rule }: { rule: Rule }) {
  const { site_id } = useHere()
  return (
    <div className="stack tight grow">
      <span className="row">
        <Go className="strong" data-open to={paths.clashRule(site_id, rule.id)}>
          {rule.name}
        </Go>
        <RuleBadges rule={rule} />
        <ToSettle rule={rule} />
      </span>
      <span className="small">{rule.explanation}</span>
    </div>
  )
}

/** How many clashes of a rule someone has to settle, leading to them. Nothing if there are none. */
function ToSettle({ rule }: { rule: Rule }) {
  const { site_id } = useHere()
  const open = useClashSummary(site_id)?.by_rule.find(one => one.rule_id === rule.id)
  if (open === undefined || open.red + open.amber === 0) return null
  const what = [
    ...(open.red > 0 ? [t('clash.open_red', { n: open.red })] : []),
    ...(open.amber > 0 ? [t('clash.open_amber', { n: open.amber })] : []),
  ].join(', ')
  return (
    <Go
      className="small to-settle"
      to={paths.clashes(site_id, { rule: rule.id })}
      aria-label={t('clash.open_label', { what, name: rule.name })}
    >
      {what}
    </Go>
  )
}

/** Shows whether a rule is on, how severe it is, and where it comes from. */
export function RuleBadges({ rule }: { rule: Rule }) {
  const severity = severityOf(rule)
  return (
    <>
      <span className={`badge ${rule.enabled ? 'act' : 'soft'}`}>{t(rule.enabled ? 'clash.on' : 'clash.off')}</span>
      <span className={`badge ${LOOKS[severity]}`}>
        <Glyph name={GLYPHS[severity]} size={14} />
        {t(`clash.severity.${severity}`)}
      </span>
      <span className="badge soft">{t(`clash.source.${sourceOf(rule)}`)}</span>
      {rule.problems.length > 0 && (
        <span className="badge stop">
          <Glyph name="stop" size={14} />
          {t('clash.broken')}
        </span>
      )}
    </>
  )
}

/** Switches a rule on or off; a person who can’t sees why. */
export function Turn({ rule }: { rule: Rule }) {
  const { busy, send } = useSend()
  const turn = () =>
    changeRule(rule, { enabled: !rule.enabled }).then(
      next => toast(t(next.enabled ? 'clash.was_on' : 'clash.was_off', { name: rule.name })),
      toastFault, // someone may have changed the rule: the refusal says so
    )
  return (
    <FlagButton
      flag={rule.permissions.edit}
      explained={false}
      disabled={busy}
      aria-label={t(rule.enabled ? 'clash.turn_off_one' : 'clash.turn_on_one', { name: rule.name })}
      onClick={() => void send(turn)}
    >
      {t(rule.enabled ? 'clash.turn_off' : 'clash.turn_on')}
    </FlagButton>
  )
}
