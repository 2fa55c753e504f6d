import { BLOCKER_CATEGORIES, EFFECTS } from '../../../../../shared/blockers.ts'
import { AFFECTED, lossOf, RED_LEAD_HOURS } from '../../../../../shared/conflicts/consequences.ts'
import { keysOf } from '../../../../../shared/narrow.ts'
import { listed } from '../../../../../shared/text.ts'
import type { Schemas } from '../../../../base/api.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, Choices, NumberField, TextArea, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { ruleText } from '../../../messages/rules/door.tsx'
import { resetConsequence, setConsequence, useConsequences } from '../data.ts'
import { type Consequence, givesBoth, type OneRule, type Profile } from '../model.ts'
import { t, tOf } from '../says.ts'

/** What clashes of a rule mean for the work: the defaults, or what the site set. */
export function ConsequenceForm({ rule, profile }: { rule: OneRule; profile: Profile }) {
  const { site_id } = useHere()
  const all = useConsequences(site_id, profile.id)
  const given = all.data?.find(one => one.clash_rule_id === rule.id)
  return (
    <section className="stack" aria-labelledby="clash-consequence">
      <div className="row">
        <h2 id="clash-consequence">{t('clash.consequence')}</h2>
        {given?.is_default === true && <span className="badge soft">{t('clash.consequence_default')}</span>}
      </div>
      <Wait query={all} rows={2} height={48} />
      {given !== undefined && <Fields key={JSON.stringify(given)} rule={rule} given={given} />}
    </section>
  )
}

type Values = {
  effect: Consequence['effect']
  affected: Consequence['affected']
  lead: string | null
  share: string
  category: Consequence['blocker_category']
  instruction: string
}

const valuesOf = (given: Consequence): Values => ({
  effect: given.effect,
  affected: given.affected,
  lead: given.task_lead_hours === null ? null : String(given.task_lead_hours),
  share: String(given.loss_share_percent),
  category: given.blocker_category,
  instruction: given.instruction,
})

function Fields({ rule, given }: { rule: OneRule; given: Consequence }) {
  const { site_id } = useHere()
  const form = useKeptForm<Values>(`clash-consequence ${rule.id}`, valuesOf(given))
  const { busy, fault, send } = useSend()
  const { values, change } = form
  const may = given.permissions.edit.allowed
  const start = valuesOf(given)
  const moved = keysOf(start).some(key => start[key] !== values[key])
  const kinds = (side: 'a' | 'b') => listed(rule[side].kinds.map(kind => t(`clash.kind.${kind}`).toLowerCase()))
  const save = async () => {
    const body: Schemas['SetClashConsequence'] = {
      site_id,
      clash_rule_id: rule.id,
      effect: values.effect,
      affected: values.affected,
      task_lead_hours: values.lead === null ? null : Number(values.lead),
      loss_share_percent: Number(values.share),
      blocker_category: values.category,
      instruction: values.instruction.trim(),
    }
    if (!(await send(() => setConsequence(body, given.version)))) return
    form.sent()
    toast(t('common.saved'))
  }
  const reset = async () => {
    if (!(await send(() => resetConsequence(rule.id, given.version)))) return
    form.discard()
    toast(t('clash.was_reset'))
  }
  return (
    <Form className="stack consequence" aria-labelledby="clash-consequence" error={fault} onSubmit={() => void save()}>
      <Restored form={form} />
      {given.is_default && <p className="soft small">{t(givesBoth(rule) ? 'clash.consequence_says_both' : 'clash.consequence_says')}</p>}
      <Choices
        label={t('clash.effect')}
        options={EFFECTS.map(value => ({ value, label: t(`clash.effect.${value}`) }))}
        value={values.effect}
        onChoose={effect => may && change({ effect, share: String(lossOf(effect)) })}
      />
      <Choice
        label={t('clash.affected')}
        disabled={!may}
        value={values.affected}
        options={AFFECTED.map(value => ({
          value,
          label: value === 'a' || value === 'b' ? t(`clash.affected.${value}`, { kinds: kinds(value) }) : t(`clash.affected.${value}`),
        }))}
        onChange={event => change({ affected: AFFECTED.find(one => one === event.target.value) ?? values.affected })}
      />
      <Tick
        label={t('clash.has_task')}
        disabled={!may}
        checked={values.lead !== null}
        onChange={event => change({ lead: event.target.checked ? String(given.task_lead_hours ?? RED_LEAD_HOURS) : null })}
      />
      <div className="row fields">
        {values.lead !== null && (
          <NumberField
            label={t('clash.lead')}
            required
            disabled={!may}
            min={0}
            max={720}
            step={1}
            value={values.lead}
            at="task_lead_hours"
            onChange={typed => change({ lead: typed.target.value })}
          />
        )}
        <NumberField
          label={t('clash.share')}
          required
          disabled={!may}
          min={0}
          max={100}
          step={1}
          value={values.share}
          at="loss_share_percent"
          onChange={typed => change({ share: typed.target.value })}
        />
      </div>
      <Choice
        label={t('clash.category')}
        disabled={!may}
        value={values.category}
        options={BLOCKER_CATEGORIES.map(value => ({ value, label: tOf('clash.category', value) }))}
        onChange={event => change({ category: BLOCKER_CATEGORIES.find(one => one === event.target.value) ?? values.category })}
      />
      <TextArea
        label={t('clash.instruction')}
        optional
        rows={2}
        maxLength={500}
        disabled={!may}
        value={values.instruction}
        onChange={typed => change({ instruction: typed.target.value })}
      />
      {fault !== null && <FaultNote error={fault} />}
      {may && (
        <div className="row">
          <Button look="primary" type="submit" disabled={busy || !moved}>
            {t('clash.save_consequence')}
          </Button>
          {moved && <Button onClick={form.discard}>{ruleText('rules.discard')}</Button>}
          {given.permissions.reset.allowed && (
            <Button disabled={busy} onClick={() => void reset()}>
              {t('clash.reset_consequence')}
            </Button>
          )}
        </div>
      )}
    </Form>
  )
}
