import { FlagButton } from '../../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { turnRule } from '../data.ts'
import type { Rule } from '../model.ts'
import { t } from '../says.ts'

/** Turns a rule on or off; for a fixed rule, it shows the reason. */
export function Turn({ rule }: { rule: Rule }) {
  const { busy, send } = useSend()
  const turn = () =>
    turnRule(rule, !rule.enabled).then(
      next => toast(t(next.enabled ? 'rules.was_on' : 'rules.was_off', { name: rule.name })),
      toastFault, // the rule may refer to a deleted record: the refusal says so
    )
  return (
    <FlagButton
      flag={rule.permissions.switch}
      explained={false}
      disabled={busy}
      aria-label={t(rule.enabled ? 'rules.turn_off_one' : 'rules.turn_on_one', { name: rule.name })}
      onClick={() => void send(turn)}
    >
      {t(rule.enabled ? 'rules.turn_off' : 'rules.turn_on')}
    </FlagButton>
  )
}
