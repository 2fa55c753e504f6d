import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { Choice, NumberField, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { type Config, savePolicy, useConfig } from '../data.ts'
import { t } from '../says.ts'

const NOMINEES = ['nominee_user_id', 'deputy_nominee_user_id'] as const
const SWITCHES = ['coverage_policy_enabled', 'close_out_gate_enabled'] as const
const LEADS = ['expiring_warning_lead_hours', 'activation_gap_lead_hours'] as const
const LEAD_IF_EMPTY = 24

/** The site's policy: six fields, each with its meaning. */
export function Policy() {
  const { site_id } = useHere()
  const config = useConfig(site_id)
  if (config.data === undefined) return <Wait query={config} rows={4} />
  // Each version has its own form: what was typed into an older one is kept, with a note that someone has changed the policy since.
  return <PolicyForm key={config.data.version} config={config.data} onStale={() => void config.refetch()} />
}

/** A number that was deleted is null until another is typed. */
type Policy = Pick<Config, (typeof SWITCHES)[number] | (typeof NOMINEES)[number]> & Record<(typeof LEADS)[number], number | null>

function PolicyForm({ config, onStale }: { config: Config; onStale(): void }) {
  const here = useHere()
  const people = useMembers(here.site_id)
  const { busy, fault, send } = useSend()
  const form = useKeptForm<Policy>(`policy ${here.site_id}`, {
    coverage_policy_enabled: config.coverage_policy_enabled,
    close_out_gate_enabled: config.close_out_gate_enabled,
    nominee_user_id: config.nominee_user_id,
    deputy_nominee_user_id: config.deputy_nominee_user_id,
    expiring_warning_lead_hours: config.expiring_warning_lead_hours,
    activation_gap_lead_hours: config.activation_gap_lead_hours,
  })
  const policy = form.values
  const may = config.permissions.edit.allowed
  const save = async () => {
    const { expiring_warning_lead_hours: warning, activation_gap_lead_hours: gap } = policy
    const leads = { expiring_warning_lead_hours: warning ?? LEAD_IF_EMPTY, activation_gap_lead_hours: gap ?? LEAD_IF_EMPTY }
    if (!(await send(() => savePolicy(config, { ...policy, ...leads })))) return
    form.sent()
    toast(t('common.saved'))
  }
  return (
    <Form className="panel stack policy" aria-label={t('settings.policy')} error={fault} onSubmit={() => void save()}>
      <Restored form={form} />
      <fieldset className="fieldset" disabled={!may}>
        <legend>{t('settings.switches')}</legend>
        {SWITCHES.map(name => (
          <Tick
            key={name}
            label={t(`policy.${name}`)}
            hint={t(`policy.${name}.hint`)}
            checked={policy[name]}
            onChange={event => form.change({ [name]: event.target.checked })}
          />
        ))}
      </fieldset>
      <div className="pair">
        {NOMINEES.map(name => (
          <Choice
            key={name}
            label={t(`policy.${name}`)}
            hint={t(`policy.${name}.hint`)}
            at={name}
            disabled={!may}
            empty={t('policy.nobody')}
            value={policy[name] ?? ''}
            options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
            onChange={event => form.change({ [name]: event.target.value || null })}
          />
        ))}
        {LEADS.map(name => (
          <NumberField
            key={name}
            label={t(`policy.${name}`)}
            hint={t(`policy.${name}.hint`)}
            at={name}
            disabled={!may}
            required
            min={1}
            max={720}
            step={1}
            value={policy[name]?.toString() ?? ''}
            onChange={event => form.change({ [name]: event.target.value === '' ? null : Number(event.target.value) })}
          />
        ))}
      </div>
      {fault !== null && <FaultNote error={fault} onRetry={asFault(fault).code === 'version_conflict' ? onStale : undefined} />}
      <div className="row">
        <FlagButton flag={config.permissions.edit} look="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </FlagButton>
        {config.updated_at !== null && (
          <span className="soft small">{t('settings.saved_last', { when: momentOf(config.updated_at, here.zone) })}</span>
        )}
      </div>
    </Form>
  )
}
