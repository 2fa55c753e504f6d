// Puts a worker, a gang or a machine on the map, or changes one: with one hand, where the person is.
import { type ReactNode, useRef, useState } from 'react'
import type { ShiftRun } from '../../../../../shared/calendar.ts'
import { dateOn, HOUR, instant, plusDays, startOfDay } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'
import { usePlace } from '../../../../base/go.tsx'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, NumberField, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast, toastFault } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf, dayOf, momentOf } from '../../../../base/time.ts'
import { movesNow } from '../moving.ts'
import { saidMoved } from '../moving-data.ts'
import { t, tOf } from '../says.ts'
import { type ScheduleKey, useSeenSchedule } from '../schedule/schedule-data.ts'
import { CATEGORIES, changedIn, nextOf, patternOf, plantBody, startOf, type Typed, workerBody } from '../token-typed.ts'
import type { Standing, Token } from '../tokens.ts'
import {
  addPlant,
  addWorker,
  changeMachines,
  changePlant,
  changeWorker,
  changeWorkers,
  removeToken,
  useTrades,
  type Warned,
} from '../tokens-data.ts'
import { whereAmI } from './boundary-ways.tsx'
import {
  ContractorChoice,
  type CoveringPermit,
  PermitChoice,
  PickPlace,
  PlaceSaid,
  RepeatFields,
  TimesFields,
  usePicking,
} from './form-parts.tsx'
import { type Scope, ScopeChoice } from './scope-choice.tsx'

type Given = {
  site_id: string
  /** What is added if there is no token to change. */
  kind: Standing['token']
  token: Standing | null
  now: number
  /** The time that the map shows, if that is ahead: a new one starts then. */
  shown?: number
  /** Permits that can cover it, for a new one. */
  permits: readonly CoveringPermit[]
  /** The shift that a new one belongs to. */
  shift?: ShiftRun | null
  /** What a new one starts with, and the name under which the form is kept. */
  start?: Typed
  name?: string
  onClose(): void
  /** What is said above the fields. */
  children?: ReactNode
}

/** What the service warns of, in sentences. */
const warningsOf = (warned: Warned | null, zone: string): string[] => {
  if (warned === null) return []
  const { twice, uncovered, clocks, expired } = warned
  return [
    ...(expired ? [t('token.expired')] : []),
    ...(twice ? [t('token.twice')] : []),
    ...(uncovered > 0 ? [t('token.uncovered', { n: uncovered })] : []),
    ...(clocks.length > 0 ? [t('token.clocks', { days: clocks.map(day => dayOf(startOfDay(zone, day), zone)).join(', ') })] : []),
  ]
}

/** Says with which shift something comes that isn't there yet. */
function shiftSaid({ start_at, shift: { name } }: ShiftRun, now: number, zone: string): string {
  const [day, today] = [dateOn(zone, start_at), dateOn(zone, instant(now))]
  const time = clockOf(start_at, zone)
  const when =
    day === today ? t('token.today', { time }) : day === plusDays(today, 1) ? t('token.tomorrow', { time }) : momentOf(start_at, zone)
  return name === '' ? t('token.from_shift', { when }) : t('token.from_named_shift', { when, name })
}

/** The schedule that a token belongs to; null if it doesn’t repeat. */
const scheduleOf = (token: Standing | null): ScheduleKey | null =>
  token?.schedule_group_id == null ? null : { kind: token.token, group_id: token.schedule_group_id }

/** Adds a worker, a gang or a machine, or changes one. */
export function TokenForm({ site_id, kind, token, now, shown = now, shift = null, permits, start, name, onClose, children }: Given) {
  const { zone, canChange } = useHere()
  const [, setPlace] = usePlace()
  const { data: trades = [] } = useTrades(site_id)
  const picking = usePicking(kind === 'plant')
  const [finding, setFinding] = useState(false)
  // Four gangs of one contractor for the same fortnight: the times are typed once.
  const [next, setNext] = useState<{ after: number; start: Typed } | null>(null)
  const [scope, setScope] = useState<Scope>('day')
  const seen = useSeenSchedule(scheduleOf(token))
  const ending = useSend()
  const anyones = canChange('map_entity_edit_any')

  const warned = useRef<Warned | null>(null)
  const save = async (typed: Typed) => {
    warned.current = await sent(typed)
  }
  const sent = async (typed: Typed): Promise<Warned> => {
    const { start_at, end_at, permit_id } = typed
    const starts = start_at === null ? {} : { start_at }
    const [worker, plant] = [workerBody(typed, anyones), plantBody(typed, anyones)]
    if (token?.schedule_group_id != null && scope === 'ahead') {
      const was = startOf(token, shown, shift)
      const schedule = await seen()
      if (token.token === 'worker') return changeWorkers(schedule, changedIn(workerBody(was, anyones), worker))
      return changeMachines(schedule, changedIn(plantBody(was, anyones), plant))
    }
    if (token?.token === 'worker') return changeWorker(token, { ...worker, ...starts, ...(end_at === null ? {} : { end_at }) })
    if (token !== null) return changePlant(token, { ...plant, ...starts, end_at })
    const permit = permit_id === '' ? {} : { permit_id }
    const pattern = patternOf(typed, zone)
    if (kind === 'worker')
      return addWorker({ site_id, ...worker, ...starts, ...permit, end_at: end_at ?? new Date(now + 8 * HOUR).toISOString() }, pattern)
    return addPlant({ site_id, ...plant, ...starts, ...permit, category: typed.category, end_at }, pattern)
  }

  /** What is put on the map for another day isn't there now, so that people would look for it. */
  const said = ({ name: own, start_at }: Typed) => {
    const warnings = warningsOf(warned.current, zone)
    if (scope === 'ahead') return { text: [t('token.saved_ahead', { name: own }), ...warnings].join(' ') }
    const later = start_at !== null && Date.parse(start_at) > shown
    const text = later ? t('token.saved_for', { name: own, time: momentOf(start_at, zone) }) : t('common.saved')
    return {
      text: [text, ...warnings].join(' '),
      ...(later ? { undo: { label: t('token.show_then'), run: () => setPlace({ at: start_at }) } } : {}),
    }
  }

  const stand = async (change: (part: Partial<Typed>) => void) => {
    setFinding(true)
    try {
      const { spot, accuracy } = await whereAmI()
      change({ place: { point: { lon: spot[0], lat: spot[1] } } })
      toast(t('find.found_you', { n: accuracy }))
    } catch {
      toast(t('find.no_position'), { stop: true })
    } finally {
      setFinding(false)
    }
  }

  const title = token !== null ? <bdi>{token.name}</bdi> : t(kind === 'worker' ? 'token.new_worker' : 'token.new_plant')
  return (
    <>
      <RecordForm<Typed>
        key={next?.after ?? 0}
        side
        title={title}
        name={`token ${site_id} ${name ?? token?.id ?? kind}`}
        body={kind === 'worker' ? 'NewWorker' : 'NewPlant'}
        start={next?.start ?? start ?? startOf(token, shown, shift)}
        save={save}
        said={said}
        onClose={onClose}
        {...(token === null && start === undefined
          ? { again: { label: t('token.another'), run: values => setNext({ after: (next?.after ?? 0) + 1, start: nextOf(values) }) } }
          : {})}
      >
        {({ field, values, change }) => (
          <>
            {children}
            {token?.schedule_group_id != null && <ScopeChoice scope={scope} onScope={setScope} />}
            {kind === 'worker' ? (
              <>
                <TextField label={t('token.name_worker')} {...field('name')} required data-first={next === null ? undefined : true} />
                <TextField label={t('token.trade')} {...field('trade')} required list="token-trades" />
                <datalist id="token-trades">
                  {trades.map(trade => (
                    <option key={trade} value={trade} />
                  ))}
                </datalist>
                <NumberField label={t('token.headcount')} {...field('headcount')} required step={1} min={1} max={200} inputMode="numeric" />
              </>
            ) : (
              <>
                <Choice
                  label={t('token.category')}
                  required
                  disabled={token !== null}
                  value={values.category}
                  options={CATEGORIES.map(category => ({ value: category, label: tOf('plant_category', category) }))}
                  onChange={event => {
                    const found = CATEGORIES.find(category => category === event.target.value)
                    if (found !== undefined) change({ category: found })
                  }}
                />
                <TextField label={t('token.name_plant')} {...field('name')} required />
                <TextField label={t('token.fleet_number')} {...field('fleet_number')} />
                <NumberField
                  label={t('token.working_radius')}
                  hint={t('token.working_radius_hint')}
                  {...field('working_radius_m')}
                  min={0}
                />
                <TextField label={t('token.last_examined')} type="date" className="mono" {...field('last_examined_on')} />
              </>
            )}
            {anyones && (
              <ContractorChoice site_id={site_id} value={values.contractor_id} onValue={contractor_id => change({ contractor_id })} />
            )}
            <p>
              <PlaceSaid there={values.place !== null} />
            </p>
            <div className="row">
              <Button disabled={finding} onClick={() => void stand(change)}>
                <Glyph name="pin" size={16} />
                {t(finding ? 'token.finding' : 'token.here')}
              </Button>
              <Button onClick={() => picking.pick(values.place, place => change({ place }))}>
                <Glyph name="map" size={16} />
                {t('point.pick')}
              </Button>
            </div>
            {shift !== null && values.start_at === shift.start_at && Date.parse(shift.start_at) > shown && (
              <p className="small">{shiftSaid(shift, now, zone)}</p>
            )}
            {scope === 'day' && (
              <TimesFields
                values={values}
                onChange={change}
                end={{ required: kind === 'worker' || values.repeats, optional: kind === 'plant' }}
              />
            )}
            {token === null && (
              <>
                <RepeatFields values={values} onChange={change} />
                <PermitChoice permits={permits} value={values.permit_id} onValue={permit_id => change({ permit_id })} />
              </>
            )}
            {kind === 'worker' && <TextArea label={t('token.activity')} {...field('activity')} />}
            <TextArea label={t('token.notes')} {...field('notes')} />
            {token !== null && (
              <>
                {ending.fault !== null && <FaultNote error={ending.fault} />}
                <HoldButton
                  look="danger"
                  onHeld={() =>
                    void ending.send(async () => {
                      await removeToken(token)
                      toast(t('token.removed', { name: token.name }))
                      onClose()
                    })
                  }
                >
                  {t('token.remove')}
                </HoldButton>
              </>
            )}
          </>
        )}
      </RecordForm>
      {picking.window}
    </>
  )
}

/** Chooses where something is: from now on if it is a machine that is there now, which stays where it was on the map of before. */
export function MoveToken({
  token,
  now,
  onMove,
  onClose,
}: {
  token: Token
  now: number
  onMove(place: Schemas['GivenPlace']): Promise<void>
  onClose(): void
}) {
  return (
    <PickPlace
      title={t(movesNow(token, now) ? 'token.move_now_title' : 'token.move_title', { name: token.name })}
      only_point={token.token === 'plant'}
      place={null}
      onChoose={place => {
        if (place !== null) onMove(place).then(() => toast(saidMoved(token, now)), toastFault)
      }}
      onClose={onClose}
    />
  )
}
