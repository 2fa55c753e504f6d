import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { NumberField, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { changeType, makeType, type PermitType } from '../data.ts'
import { type Line, lineOf, said } from '../model.ts'
import { t } from '../says.ts'
import { ListEditor } from './list-editor.tsx'

const FLAGS = ['requires_parent', 'single_stage', 'is_extendable'] as const
type Typed = { code: string; name: string; hours: string; checks: Line[]; slots: Line[] } & Partial<Record<(typeof FLAGS)[number], boolean>>

const startOf = (type: PermitType | null): Typed => ({
  code: type?.code ?? '',
  name: type?.name ?? '',
  hours: type?.default_duration_hours?.toString() ?? '',
  checks: (type?.pre_checks ?? []).map(({ code, label, required }) => lineOf({ key: code, label, required })),
  slots: (type?.expected_attachments ?? []).map(({ key, label, required }) => lineOf({ key, label, required })),
  ...Object.fromEntries(FLAGS.flatMap(flag => (type === null ? [] : [[flag, type[flag]]]))),
})

/** Creates a type or changes one: what its permits need from now on. */
export function TypeWindow({ type, onClose }: { type: PermitType | null; onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const form = useKeptForm<Typed>(`type ${site_id} ${type?.id ?? 'new'}`, startOf(type))
  const { code, name, hours, checks, slots, ...flags } = form.values
  const save = async () => {
    const fields = {
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      default_duration_hours: hours === '' ? null : Number(hours),
      // The regime decides whether a new type needs a parent permit, unless it is set here.
      ...Object.fromEntries(FLAGS.flatMap(flag => (flags[flag] === undefined ? [] : [[flag, flags[flag]]]))),
      pre_checks: said(checks).map(({ key, label, required }) => ({ label, required, ...(key === null ? {} : { code: key }) })),
      expected_attachments: said(slots).map(({ key, label, required }) => ({ label, required, ...(key === null ? {} : { key }) })),
    }
    if (!(await send(() => (type === null ? makeType(site_id, code.trim(), fields) : changeType(type, fields))))) return
    form.sent()
    toast(t('common.saved'))
    onClose()
  }
  return (
    <Window
      title={type === null ? t('settings.new_type') : `${type.code} ${type.name}`}
      side
      onClose={onClose}
      onSubmit={() => void save()}
      faults={asFault(fault).fields}
    >
      <Restored form={form} />
      {type === null && (
        <TextField
          label={t('settings.code')}
          hint={t('settings.code_hint')}
          at="code"
          required
          maxLength={20}
          className="mono"
          value={code}
          onChange={event => form.change({ code: event.target.value })}
        />
      )}
      <TextField
        label={t('settings.name')}
        at="name"
        required={type !== null}
        maxLength={200}
        value={name}
        onChange={event => form.change({ name: event.target.value })}
      />
      <NumberField
        label={t('settings.type_hours')}
        hint={t('settings.type_hours_hint')}
        at="default_duration_hours"
        optional
        min={1}
        max={8760}
        step={1}
        value={hours}
        onChange={event => form.change({ hours: event.target.value })}
      />
      <fieldset className="fieldset">
        <legend>{t('settings.rules')}</legend>
        {FLAGS.map(flag => (
          <Tick
            key={flag}
            label={t(`settings.flag.${flag}`)}
            hint={t(`settings.flag.${flag}.hint`)}
            checked={flags[flag] === true}
            onChange={event => form.change({ [flag]: event.target.checked })}
          />
        ))}
      </fieldset>
      <ListEditor
        legend={t('settings.checks')}
        hint={t('settings.checks_hint')}
        add={t('settings.add_check')}
        required={t('settings.must_answer')}
        lines={checks}
        onChange={next => form.change({ checks: next })}
      />
      <ListEditor
        legend={t('settings.slots')}
        hint={t('settings.slots_hint')}
        add={t('settings.add_slot')}
        required={t('settings.must_have')}
        lines={slots}
        onChange={next => form.change({ slots: next })}
      />
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button look="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}
