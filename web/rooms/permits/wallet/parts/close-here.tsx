import { useState } from 'react'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { TextField, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { t } from '../../../../base/words.ts'
import { attachFile, FireWatch, type Permit } from '../../permits/door.tsx'
import { Sign } from './sign.tsx'

const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const

/** Close-out of one permit on site: three confirmations, a photo where it helps, the fire watch, and the signature. */
export function CloseHere({ permit }: { permit: Permit }) {
  const [checked, setChecked] = useState<Record<string, boolean>>({})
  const form = useKeptForm(`round ${permit.id}`, { minutes: '' })
  const { minutes } = form.values
  const [photos, setPhotos] = useState(0)
  const [busy, setBusy] = useState(false)
  const photo = async (files: FileList | null) => {
    setBusy(true)
    try {
      for (const file of files ?? []) {
        if (!(await attachFile(permit, file, null))) toast(t('outbox.saved'))
        setPhotos(n => n + 1)
      }
    } catch (error) {
      toastFault(error)
    } finally {
      setBusy(false)
    }
  }
  const ready = CHECKLIST.every(item => checked[item] === true) && !busy
  return (
    <div className="stack">
      <FireWatch permit={permit} />
      <fieldset className="fieldset">
        <legend>{t('close_out.legend')}</legend>
        {CHECKLIST.map(item => (
          <Tick
            key={item}
            label={t(`close_out.${item}`)}
            checked={checked[item] === true}
            onChange={event => setChecked({ ...checked, [item]: event.target.checked })}
          />
        ))}
      </fieldset>
      {permit.categories.includes('HW') && <Restored form={form} />}
      {permit.categories.includes('HW') && (
        <TextField
          label={t('round.fire_watch_held')}
          optional
          type="number"
          inputMode="numeric"
          min={0}
          max={1440}
          value={minutes}
          onChange={event => form.change({ minutes: event.target.value })}
        />
      )}
      {permit.permissions.attach.allowed && (
        <label className="btn wide">
          <Glyph name={busy ? 'clock' : 'camera'} size={26} />
          {photos === 0 ? t('round.photo') : t('round.photos', { n: photos })}
          <input className="unseen" type="file" accept="image/*" capture="environment" onChange={event => void photo(event.target.files)} />
        </label>
      )}
      <Sign
        permit={permit}
        step="close_out"
        onSigned={form.sent}
        ready={ready}
        filled={{
          checklist: Object.fromEntries(CHECKLIST.map(item => [item, checked[item] === true])),
          ...(minutes === '' ? {} : { note: t('round.fire_watch_note', { minutes }) }),
        }}
      />
    </div>
  )
}
