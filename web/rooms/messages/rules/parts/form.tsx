import { useMemo, useState } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { useGo } from '../../../../base/go.tsx'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { inWords } from '../../../../base/kit/fault-words.ts'
import { Faults, useFault } from '../../../../base/kit/faults.tsx'
import { Choice, Choices, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { type EventSchema, newGroup } from '../condition.ts'
import { changeRule, makeRule, useTrial } from '../data.ts'
import {
  CHANNELS,
  type Channel,
  changesOf,
  contentOf,
  type Draft,
  draftKept,
  draftOf,
  eventGroups,
  forEvent,
  isTriable,
  keptDraft,
  type Rule,
} from '../model.ts'
import { t, tOf } from '../says.ts'
import { Audience } from './audience.tsx'
import { Condition } from './condition.tsx'
import { Trial } from './trial.tsx'
import { WordsFields } from './words.tsx'

const NONE: ReadonlyMap<string, string> = new Map()

/** A rule from event to message, with its recipients next to it. Of a standard rule, the form can change only the channels. */
export function RuleForm({ rule, events }: { rule: Rule | null; events: readonly EventSchema[] }) {
  const here = useHere()
  const go = useGo()
  const before = useMemo(() => draftOf(rule), [rule])
  const form = useKeptForm(`rule ${here.site_id} ${rule?.id ?? 'new'}`, { ...keptDraft(before), at_once: false })
  const { at_once, ...stored } = form.values
  const [draft, setDraft] = useState(() => draftKept(stored))
  const { busy, fault, send } = useSend()
  const may = rule === null ? here.canChange('notification_rule_manage') : rule.permissions.edit.allowed
  const own = rule === null || rule.source === 'site'
  const event = events.find(one => one.event_kind === draft.event_kind)
  const change = changesOf(before, draft)
  const moved = rule === null || Object.keys(change).length > 0
  const triable = isTriable(draft, event)
  const asked = own ? { ...(rule === null ? {} : { rule_id: rule.id }), definition: contentOf(draft) } : { rule_id: rule.id }
  const trial = useTrial(here.site_id, triable || !own ? asked : null)
  // A problem found by the preview is shown at its field, like a refusal.
  const tried = triable && own ? new Map((trial.data?.problems ?? []).map(({ path, message }) => [path, message])) : NONE
  const refused = asFault(fault)
  const faults = refused.fields.size > 0 ? refused.fields : tried
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    form.change(keptDraft(next))
  }
  const discard = () => {
    form.discard()
    setDraft(before)
  }
  const save = async () => {
    const done = await send(async () => {
      if (rule !== null) return changeRule(rule, change)
      const made = await makeRule(here.site_id, { ...contentOf(draft), enabled: at_once })
      go(paths.rule(here.site_id, made.id), { replace: true })
    })
    if (!done) return
    form.sent()
    toast(t('common.saved'))
  }
  const shown = { draft, event, faults, may: may && own, set }
  return (
    <div className="rule-form">
      <Faults of={faults}>
        <form
          className="stack"
          noValidate
          onSubmit={submitted => {
            submitted.preventDefault()
            void save()
          }}
        >
          <Restored form={{ ...form, discard }} />
          {own && may && (
            <TextField
              label={t('rules.name')}
              fault={refused.context.reason === 'key_taken' ? refused.message : undefined}
              at="name"
              maxLength={200}
              value={draft.name}
              onChange={typed => set({ name: typed.target.value })}
            />
          )}
          <EventChoice {...shown} events={events} />
          {event !== undefined &&
            (draft.when === null ? (
              <Note title={t('rules.when')}>
                <p>{t('rules.beyond')}</p>
                {shown.may && <Button onClick={() => set({ when: newGroup() })}>{t('rules.new_condition')}</Button>}
              </Note>
            ) : (
              <Condition group={draft.when} event={event} faults={faults} may={shown.may} onChange={when => set({ when })} />
            ))}
          {event !== undefined && <Audience {...shown} event={event} />}
          <Channels draft={draft} may={may} onChange={channels => set({ channels })} />
          {event !== undefined && <WordsFields {...shown} event={event} />}
          {own && (
            <>
              <Choices
                label={t('rules.urgency')}
                options={(['info', 'attention'] as const).map(value => ({ value, label: t(`urgency.${value}`) }))}
                value={draft.urgency}
                onChoose={urgency => shown.may && set({ urgency })}
              />
              <Tick
                label={t('rules.include_actor')}
                hint={t('rules.include_actor_says')}
                disabled={!shown.may}
                checked={draft.include_actor}
                onChange={ticked => set({ include_actor: ticked.target.checked })}
              />
            </>
          )}
          {rule === null && may && (
            <Tick
              label={t('rules.at_once')}
              hint={t('rules.at_once_says')}
              checked={at_once}
              onChange={ticked => form.change({ at_once: ticked.target.checked })}
            />
          )}
          {refused.fields.size > 0 && <Note kind="stop">{t('rules.not_saved')}</Note>}
          {fault !== null && refused.fields.size === 0 && <FaultNote error={fault} />}
          {may && (
            <div className="row">
              <Button look="primary" type="submit" disabled={busy || !moved}>
                {t('common.save')}
              </Button>
              {rule !== null && moved && <Button onClick={discard}>{t('rules.undo')}</Button>}
            </div>
          )}
        </form>
      </Faults>
      <Trial trial={trial} ready={triable || !own} />
    </div>
  )
}

type Shown = {
  draft: Draft
  event: EventSchema | undefined
  faults: ReadonlyMap<string, string>
  may: boolean
  set(part: Partial<Draft>): void
}

function EventChoice({ draft, event, may, set, events }: Shown & { events: readonly EventSchema[] }) {
  const gone = draft.event_kind !== '' && event === undefined
  return (
    <Choice
      label={t('rules.event')}
      fault={gone ? t('rules.event_gone') : undefined}
      at="event_kind"
      disabled={!may}
      empty={draft.event_kind === '' || gone ? t('rules.choose') : undefined}
      value={event?.event_kind ?? ''}
      options={[]}
      groups={eventGroups(events).map(({ area, events: own }) => ({
        label: tOf('rules.area', area),
        options: own.map(one => ({ value: one.event_kind, label: one.label })),
      }))}
      onChange={chosen => {
        const next = events.find(one => one.event_kind === chosen.target.value)
        if (next !== undefined) set(forEvent(draft, event, next))
      }}
    />
  )
}

type ChannelsGiven = { draft: Draft; may: boolean; onChange(channels: Channel[]): void }

function Channels({ draft, may, onChange }: ChannelsGiven) {
  const fault = useFault('channels')
  return (
    <fieldset className="fieldset">
      <legend>{t('rules.channels')}</legend>
      {CHANNELS.map(channel => (
        <Tick
          key={channel}
          label={t(`channel.${channel}`)}
          disabled={!may}
          checked={draft.channels.includes(channel)}
          onChange={ticked => onChange(CHANNELS.filter(one => (one === channel ? ticked.target.checked : draft.channels.includes(one))))}
        />
      ))}
      <p className="soft small">{t('rules.channels_say')}</p>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {inWords(fault)}
        </p>
      )}
    </fieldset>
  )
}
