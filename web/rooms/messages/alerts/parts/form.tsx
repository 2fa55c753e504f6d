import { isOneOf } from '../../../../../shared/narrow.ts'
import type { Schemas } from '../../../../base/api.ts'
import { Choice, Choices, MomentField, NumberField, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { changeAlert, saveAlert } from '../data.ts'
import type { Alert } from '../model.ts'

const SEVERITIES = ['info', 'warning', 'danger'] as const
const EFFECTS = ['none', 'caution', 'stops'] as const
const ACTIVITIES = ['all', 'lifting', 'mewp', 'roof_work', 'hot_work', 'excavation', 'concrete', 'external', 'access'] as const
const CATEGORIES = [
  'access',
  'traffic',
  'weather',
  'lifting',
  'utilities',
  'fire',
  'security',
  'environment',
  'welfare',
  'emergency',
  'other',
] as const

type Typed = {
  title: string
  message: string
  severity: Alert['severity']
  category: string
  effect: Alert['effect']
  activities: string[]
  radius_m: string
  end_at: string | null
  contractor_ids: string[]
}

const toggled = (all: readonly string[], one: string): string[] => (all.includes(one) ? all.filter(other => other !== one) : [...all, one])

/** Raises an alert at a place (null: the whole site), or changes one. */
export function AlertForm({ alert, place, onClose }: { alert: Alert | null; place: Schemas['GivenPlace'] | null; onClose(): void }) {
  const here = useHere()
  const { data: contractors = [] } = useContractors(here.site_id, 'active')
  const stopping = here.canChange('alert_stop')
  const point = (alert === null ? place : alert.place)?.point != null
  const start: Typed = {
    title: alert?.title ?? '',
    message: alert?.message ?? '',
    severity: alert?.severity ?? 'warning',
    category: alert?.category ?? 'other',
    effect: alert?.effect ?? 'none',
    activities: alert?.activities ?? [],
    radius_m: alert?.radius_m == null ? '25' : String(alert.radius_m),
    end_at: alert?.end_at ?? null,
    contractor_ids: alert?.contractor_ids ?? [],
  }
  const save = async ({ radius_m, message, category, activities, ...typed }: Typed) => {
    const body = {
      ...typed,
      message: message || null,
      category: CATEGORIES.find(one => one === category) ?? ('other' as const),
      activities: typed.effect === 'stops' ? ACTIVITIES.filter(one => activities.includes(one)) : [],
      ...(point ? { radius_m: Number(radius_m) || 25 } : {}),
    }
    if (alert === null) await saveAlert({ ...body, site_id: here.site_id, place })
    else await changeAlert(alert, body)
  }
  return (
    <RecordForm
      side
      title={t(alert === null ? 'alert.new' : 'alert.edit')}
      name={`alert ${here.site_id} ${alert?.id ?? 'new'}`}
      body="NewAlert"
      start={start}
      save={save}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <TextField label={t('alert.field.title')} {...field('title')} required />
          <TextArea label={t('alert.field.message')} {...field('message')} />
          <Choices
            label={t('alert.field.severity')}
            options={SEVERITIES.map(one => ({ value: one, label: tOf('alert_severity', one) }))}
            value={values.severity}
            onChoose={severity => change({ severity })}
          />
          <Choice
            label={t('alert.field.category')}
            value={values.category}
            options={CATEGORIES.map(one => ({ value: one, label: tOf('alert_category', one) }))}
            onChange={event => change({ category: event.target.value })}
          />
          <Choices
            label={t('alert.field.effect')}
            options={EFFECTS.filter(one => one !== 'stops' || stopping || values.effect === 'stops').map(one => ({
              value: one,
              label: tOf('alert_effect', one),
            }))}
            value={values.effect}
            onChoose={effect =>
              change({
                effect,
                activities: effect === 'stops' && values.activities.length === 0 ? ['all'] : values.activities,
                ...(effect === 'stops' && values.severity === 'info' ? { severity: 'warning' } : {}),
              })
            }
          />
          {values.effect === 'stops' && (
            <fieldset className="fieldset stack tight">
              <legend>{t('alert.field.activities')}</legend>
              {ACTIVITIES.map(one => (
                <Tick
                  key={one}
                  label={tOf('alert_activity', one)}
                  checked={values.activities.includes(one)}
                  onChange={() =>
                    change({ activities: one === 'all' ? ['all'] : toggled(values.activities, one).filter(other => other !== 'all') })
                  }
                />
              ))}
            </fieldset>
          )}
          {point && <NumberField label={t('alert.field.radius')} {...field('radius_m')} />}
          <MomentField
            label={t('alert.field.end_at')}
            optional
            hint={t('alert.field.end_stays')}
            at="end_at"
            zone={here.zone}
            value={values.end_at}
            onMoment={end_at => change({ end_at })}
          />
          {contractors.length > 0 && (
            <details>
              <summary>{t('alert.field.contractors')}</summary>
              <fieldset className="fieldset stack tight">
                <legend className="soft small">{t('alert.field.contractors.hint')}</legend>
                {contractors.map(one => (
                  <Tick
                    key={one.id}
                    label={<bdi>{one.name}</bdi>}
                    checked={isOneOf(values.contractor_ids, one.id)}
                    onChange={() => change({ contractor_ids: toggled(values.contractor_ids, one.id) })}
                  />
                ))}
              </fieldset>
            </details>
          )}
        </>
      )}
    </RecordForm>
  )
}
