// What forms of the map have in common: where something is, whose it is, and which permit covers it.
import { type ComponentProps, Suspense, useState } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { usePlace } from '../../../../base/go.tsx'
import { Choice, FaultOf, MomentField, TextField, Tick } from '../../../../base/kit/field.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { part } from '../../../../base/part.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'
import { floorOf } from '../shown.ts'
import { weekdaysOf, withStart } from '../token-typed.ts'

const PlacePicker = part(() => import('../place-picker.tsx'))

type Place = Schemas['GivenPlace'] | null
type PickGiven = { title: string; only_point: boolean; place: Place; onChoose(place: Place): void; onClose(): void }

/** A window for choosing a place on the map, loaded when it opens. On the level that the map shows, if it shows one. */
export function PickPlace(given: PickGiven) {
  const [{ building, level }] = usePlace()
  return (
    <Suspense fallback={null}>
      <PlacePicker {...given} seen={floorOf(building, level)} />
    </Suspense>
  )
}

/** A window for choosing the place in a form. It is next to the form and not in it: one form inside another would send both. */
export function usePicking(only_point: boolean) {
  const [picking, setPicking] = useState<{ place: Place; choose(place: Place): void } | null>(null)
  return {
    pick: (place: Place, choose: (place: Place) => void) => setPicking({ place, choose }),
    window: picking !== null && (
      <PickPlace
        title={t('point.pick')}
        only_point={only_point}
        place={picking.place}
        onChoose={picking.choose}
        onClose={() => setPicking(null)}
      />
    ),
  }
}

/** Says whether a place was chosen, and what is wrong with it. */
export const PlaceSaid = ({ there }: { there: boolean }) => (
  <span>
    {t(there ? 'point.somewhere' : 'point.nowhere')}
    <FaultOf at="place" label={t('point.place')} />
  </span>
)

type ValueGiven = { value: string; onValue(value: string): void }

/** Chooses the contractor that something belongs to. */
export function ContractorChoice({ site_id, value, empty, onValue }: ValueGiven & { site_id: string; empty?: string }) {
  const { data: contractors } = useContractors(site_id, 'active')
  return (
    <Choice
      label={t('token.contractor')}
      empty={empty ?? t('token.main_contractor')}
      value={value}
      options={(contractors ?? []).map(one => ({ value: one.id, label: one.name }))}
      onChange={event => onValue(event.target.value)}
    />
  )
}

/** A permit that can cover something. */
export type CoveringPermit = { id: string; permit_number: string | null; title: string | null }

/** Chooses the permit that covers something; nothing if there is none. */
export const PermitChoice = ({ permits, value, onValue }: ValueGiven & { permits: readonly CoveringPermit[] }) =>
  permits.length > 0 && (
    <Choice
      label={t('token.permit')}
      optional
      empty={t('token.no_permit_chosen')}
      value={value}
      options={permits.map(one => ({ value: one.id, label: [one.permit_number, one.title].filter(Boolean).join(' · ') }))}
      onChange={event => onValue(event.target.value)}
    />
  )

/** Chooses weekdays, Monday first. */
export const WeekdayTicks = ({ weekdays, onChange }: { weekdays: readonly number[]; onChange(weekdays: number[]): void }) => (
  <fieldset className="fieldset stack tight">
    <legend>{t('token.weekdays')}</legend>
    <div className="row">
      {weekdaysOf().map(({ day, name }) => (
        <Tick
          key={day}
          label={name}
          checked={weekdays.includes(day)}
          onChange={event => onChange(event.target.checked ? [...weekdays, day] : weekdays.filter(one => one !== day))}
        />
      ))}
    </div>
  </fieldset>
)

type Repeats = { repeats: boolean; weekdays: number[]; last_day: string }

/** Whether something repeats: on which weekdays, until which day. */
export const RepeatFields = ({ values, onChange }: { values: Repeats; onChange(part: Partial<Repeats>): void }) => (
  <>
    <Tick label={t('token.repeat')} checked={values.repeats} onChange={event => onChange({ repeats: event.target.checked })} />
    {values.repeats && (
      <>
        <WeekdayTicks weekdays={values.weekdays} onChange={weekdays => onChange({ weekdays })} />
        <TextField
          label={t('token.last_day')}
          type="date"
          className="mono"
          required
          value={values.last_day}
          onChange={event => onChange({ last_day: event.target.value })}
        />
      </>
    )}
  </>
)

type Times = { start_at: string | null; end_at: string | null }
type TimesGiven = {
  values: Times
  onChange(part: Partial<Times>): void
  /** What is said about the start, in place of the time zone. */
  start_hint?: string | undefined
  /** What applies to the end. */
  end: Pick<ComponentProps<typeof MomentField>, 'hint' | 'optional' | 'required'>
}

/** From when until when something is on the map. The end follows a start that would be later. */
export function TimesFields({ values, onChange, start_hint, end }: TimesGiven) {
  const { zone } = useHere()
  return (
    <div className="pair">
      <MomentField
        label={t('token.from')}
        hint={start_hint}
        zone={zone}
        value={values.start_at}
        at="start_at"
        required
        onMoment={start_at => onChange(withStart(values, start_at))}
      />
      <MomentField
        label={t('token.until')}
        zone={zone}
        value={values.end_at}
        at="end_at"
        onMoment={end_at => onChange({ end_at })}
        {...end}
      />
    </div>
  )
}
