// Turns the time of the first start into a list of steps: which permit, who acts, and when. It is pure and gives the same plan for the same time: a
// fixed seed produces everything that looks random.
import {
  DAY,
  dateOn,
  HOUR,
  type Instant,
  instant,
  instantOf,
  later,
  MINUTE,
  ms,
  plusDays,
  type WorkDate,
  wallOf,
  weekdayOf,
} from '../../shared/time.ts'
import { JOBS, type Job } from './jobs.ts'
import { CONTROLS, REASONS } from './reasons.ts'
import { CREWS, PEOPLE, ZONE } from './site.ts'

/** A step that a person takes on a permit at a given time. */
export type Step = { at: Instant; permit: number; by: string; verb: Verb; body?: Record<string, unknown> }
export type Verb =
  | 'create'
  | 'edit'
  | 'reissue'
  | 'submit'
  | 'withdraw'
  | 'endorse'
  | 'approve'
  | 'reject'
  | 'request-corrections'
  | 'issue'
  | 'countersign'
  | 'hand-back'
  | 'close-out'
  | 'request-extension'
  | 'approve-extension'
  | 'reject-extension'
  /** The scheduled job that expires permits whose window has ended. */
  | 'sweep'

/** A permit's content. */
export type Draft = {
  job: Job
  spot: Job['spots'][number]
  start_at: Instant
  end_at: Instant
  answers: 'all' | 'some' | 'none'
  /** Numbers of the parent permit, and of the permit that this one is copied from. */
  parent?: number
  made_of?: number
}

/** Everything that happens on the demo site. */
export type Plan = { begins: Instant; permits: Draft[]; steps: Step[] }

/** How many permits end in each state. */
const GOAL = {
  closed: 46,
  issued: 20,
  longer: 6,
  lapsed: 2,
  handed_back: 4,
  expired: 8,
  approved: 12,
  signed: 6,
  endorsed: 10,
  requested: 14,
  corrections: 6,
  failed: 1,
  rejected: 5,
  withdrawn: 6,
  draft: 7,
  reissued: 4,
} as const

/** Contractors with expired permits that have not been closed out. The other contractors can still be issued permits. */
const LATE_CONTRACTORS = ['halden', 'brightwell']
const CHECKLIST = { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true }

/** Random numbers from a seed (mulberry32). */
function lots(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { whole, minutes: (from: number, to: number) => whole(from, to) * MINUTE + whole(0, 59) * 1000 }
}

const isWorkday = (date: WorkDate) => weekdayOf(date) <= 5
/** Returns the working day that is the given number of working days later, or earlier if negative. */
function workday(date: WorkDate, steps: number): WorkDate {
  let at = date
  for (let left = Math.abs(steps); left > 0; ) {
    at = plusDays(at, Math.sign(steps))
    if (isWorkday(at)) left--
  }
  return at
}
const clock = (date: WorkDate, time: string): Instant => instantOf(ZONE, date, time)
const halfHour = (at: Instant): Instant => instant(Math.floor(ms(at) / (30 * MINUTE)) * 30 * MINUTE)

/** Returns a window that includes now: within the working day if it is a working day, otherwise around the present hour. */
function windowAround(now: Instant, begun: number, left: number): { start_at: Instant; end_at: Instant } {
  const { date } = wallOf(ZONE, now)
  const opens = clock(date, '07:30')
  const shuts = clock(date, '18:00')
  const start = halfHour(later(now, -begun))
  const end = later(halfHour(later(now, left)), 30 * MINUTE)
  const working = isWorkday(date) && now > later(opens, 2 * HOUR) && now < later(shuts, -3 * HOUR)
  return working ? { start_at: start < opens ? opens : start, end_at: end > shuts ? shuts : end } : { start_at: start, end_at: end }
}

/** Makes the whole plan; all times are relative to `now`. */
export function planDemo(now: Instant): Plan {
  const lot = lots(20_260_316)
  const today = dateOn(ZONE, now)
  const permits: Draft[] = []
  const steps: Step[] = []
  const turn = new Map<string, number>()
  const pick = <T>(list: readonly T[], name: string): T => {
    const at = turn.get(name) ?? 0
    turn.set(name, at + 1)
    const found = list[at % list.length]
    if (found === undefined) throw new Error(`There is nothing to choose from for ${name}.`)
    return found
  }
  const despite = () => ({ red_conflict_reason: pick(REASONS.despite, 'despite') })
  /** Picks the next suitable piece of work, each time in its next place. */
  const work = (name: string, fits: (job: Job) => boolean): Pick<Draft, 'job' | 'spot'> => {
    const job = pick(JOBS.filter(fits), name)
    return { job, spot: pick(job.spots, job.title) }
  }
  const add = (draft: Draft): number => permits.push(draft) - 1
  const issuerFor = (types: readonly string[]) => {
    const able = PEOPLE.filter(p => p.issues === null || (p.issues !== undefined && types.every(t => p.issues?.includes(t))))
    return pick(able, 'issuer').key
  }
  /** Adds one permit's steps. Moves all of them to earlier times if the last would be in the future. */
  const happen = (permit: number, done: Omit<Step, 'permit'>[], least = lot.minutes(3, 40)): void => {
    const last = done.at(-1)
    const over = last === undefined ? 0 : ms(last.at) - (ms(now) - least)
    for (const step of done) steps.push({ ...step, permit, at: over > 0 ? later(step.at, -over) : step.at })
  }
  type Until = 'draft' | 'requested' | 'endorsed' | 'approved' | 'signed' | 'issued'
  /** The steps that bring a permit to a state: written and submitted two working days before, reviewed the day before, and signed at the start. */
  const path = ({ job, start_at }: Draft, until: Until): Omit<Step, 'permit'>[] => {
    const { requestor, receiver } = CREWS[job.contractor]
    const day = dateOn(ZONE, start_at)
    const eve = workday(day, -1)
    const written = later(clock(workday(eve, -1), '11:00'), lot.minutes(0, 240))
    const reviewed = later(clock(eve, '09:00'), lot.minutes(0, 120))
    const approved = later(clock(eve, '13:00'), lot.minutes(0, 150))
    const signed = later(start_at, lot.minutes(4, 25))
    const single = job.types.every(t => t === 'OOH')
    const done: Omit<Step, 'permit'>[] = [{ at: written, by: requestor, verb: 'create' }]
    if (until === 'draft') return done
    done.push({ at: later(written, lot.minutes(6, 30)), by: requestor, verb: 'submit' })
    if (until === 'requested') return done
    const more1 = lot.whole(0, 3) === 0 ? { stage1_controls: pick(CONTROLS.stage1, 'stage1') } : {}
    if (!single) done.push({ at: reviewed, by: 'cora', verb: 'endorse', body: more1 })
    if (until === 'endorsed') return done
    const more2 = lot.whole(0, 3) === 0 ? { stage2_controls: pick(CONTROLS.stage2, 'stage2') } : {}
    done.push({ at: approved, by: lot.whole(0, 3) === 0 ? 'max' : 'hal', verb: 'approve', body: { ...more2, ...despite() } })
    if (until === 'approved') return done
    done.push({ at: signed, by: issuerFor(job.types), verb: 'issue' })
    if (until === 'signed') return done
    done.push({ at: later(signed, lot.minutes(3, 12)), by: receiver, verb: 'countersign' })
    return done
  }
  const isGeneral = (job: Job) => job.types.includes('GEN')
  const notGeneral = (job: Job) => !isGeneral(job)
  const singleStage = (job: Job) => job.types.includes('OOH')
  const twoStage = (job: Job) => !singleStage(job)
  const ofDay = (date: WorkDate): { start_at: Instant; end_at: Instant } => ({
    start_at: clock(date, pick(['07:30', '08:00', '08:00', '09:00'], 'begin')),
    end_at: clock(date, pick(['16:30', '17:00', '17:30'], 'end')),
  })
  const closing = (at: Instant, by: string): Omit<Step, 'permit'> => ({ at, by, verb: 'close-out', body: { checklist: CHECKLIST } })

  // General permits that run for weeks: the parents of day permits.
  const weeks: number[] = []
  for (let i = 0; i < 4; i++) {
    const first = workday(today, -(3 + i))
    const draft: Draft = {
      ...work('week', isGeneral),
      start_at: clock(first, '07:30'),
      end_at: clock(workday(today, 2 + i), '17:30'),
      answers: 'all',
    }
    weeks.push(add(draft))
    happen(weeks.at(-1) ?? 0, path(draft, 'issued'))
  }

  // Three weeks of finished work.
  for (let i = 0; i < GOAL.closed; i++) {
    const draft: Draft = { ...work('closed', notGeneral), ...ofDay(workday(today, -1 - (i % 15))), answers: 'all' }
    const permit = add(draft)
    const done = path(draft, 'issued')
    const { receiver } = CREWS[draft.job.contractor]
    const closer = pick(['cora', 'ivy', 'cora', 'max'], 'closer')
    if (i % 9 === 4) {
      // The close-out was late: the permit expired and was closed out in the evening.
      done.push({ at: later(draft.end_at, MINUTE), by: 'clock', verb: 'sweep' }, closing(later(draft.end_at, lot.minutes(20, 70)), closer))
    } else if (i % 5 === 2) {
      const fire = draft.job.types.includes('HW') ? { fire_watch_minutes: 60 } : {}
      done.push(
        { at: later(draft.end_at, -lot.minutes(75, 110)), by: receiver, verb: 'hand-back', body: { work_complete: true, ...fire } },
        closing(later(draft.end_at, -lot.minutes(5, 14)), closer),
      )
    } else done.push(closing(later(draft.end_at, -lot.minutes(8, 45)), closer))
    happen(permit, done)
    // The same work on the next day, as a copy of this permit.
    if (i < GOAL.reissued) {
      const again: Draft = { ...draft, ...ofDay(workday(today, 1)), made_of: permit }
      const copy = add(again)
      const { requestor } = CREWS[draft.job.contractor]
      const at = later(now, -lot.minutes(60, 200))
      happen(copy, [
        { at, by: requestor, verb: 'reissue' },
        ...(i % 2 === 0
          ? [
              { at: later(at, lot.minutes(4, 9)), by: requestor, verb: 'edit' as const },
              { at: later(at, lot.minutes(12, 20)), by: requestor, verb: 'submit' as const },
            ]
          : []),
      ])
    }
  }

  // Live permits; the first ones end soon.
  for (let i = 0; i < GOAL.issued; i++) {
    const left = i < 5 ? 20 * MINUTE + i * 12 * MINUTE : (3 + (i % 5)) * HOUR
    const window = windowAround(now, (2 + (i % 4)) * HOUR, left)
    const end_at = i < 5 ? later(halfHour(later(now, left)), 30 * MINUTE) : window.end_at
    const parent = i % 4 === 3 ? weeks[(i >> 2) % weeks.length] : undefined
    // A person who chooses a parent permit must be able to see it, so the parent belongs to the same contractor.
    const contractor = parent === undefined ? null : (permits[parent]?.job.contractor ?? null)
    const draft: Draft = {
      ...work(
        `issued ${contractor ?? ''}`,
        job => notGeneral(job) && twoStage(job) && (contractor === null || job.contractor === contractor),
      ),
      start_at: window.start_at,
      end_at,
      answers: 'all',
      ...(parent === undefined ? {} : { parent }),
    }
    happen(add(draft), path(draft, 'issued'))
  }
  for (let i = 0; i < GOAL.handed_back; i++) {
    const draft: Draft = { ...work('handed back', notGeneral), ...windowAround(now, 5 * HOUR, 2 * HOUR), answers: 'all' }
    const { receiver } = CREWS[draft.job.contractor]
    const at = later(now, -lot.minutes(8, 55))
    const absent = PEOPLE.find(person => person.key === receiver)?.name ?? receiver
    // One receiver is absent: an approver hands the permit back for them, and says why.
    const back = i === 1 ? { by: 'hal', note: `${absent} ${REASONS.absent}` } : { by: receiver }
    const { by, ...note } = back
    happen(add(draft), [...path(draft, 'issued'), { at, by, verb: 'hand-back', body: { work_complete: i !== 2, ...note } }])
  }
  // Permits with an extension request, approved, rejected or pending.
  for (let i = 0; i < GOAL.longer; i++) {
    const draft: Draft = {
      ...work('longer', isGeneral),
      start_at: clock(workday(today, -2), '07:30'),
      end_at: later(halfHour(now), (4 + i) * HOUR),
      answers: 'all',
    }
    const { requestor } = CREWS[draft.job.contractor]
    const asked = later(now, -lot.minutes(50, 170))
    const request = { requested_end_at: clock(workday(dateOn(ZONE, draft.end_at), 1), '17:30'), reason: pick(REASONS.longer, 'longer') }
    const done = [...path(draft, 'issued'), { at: asked, by: requestor, verb: 'request-extension' as const, body: request }]
    if (i < 3)
      done.push({ at: later(asked, lot.minutes(10, 35)), by: 'hal', verb: 'approve-extension', body: { note: 'Agreed.', ...despite() } })
    if (i === 3)
      done.push({
        at: later(asked, lot.minutes(10, 35)),
        by: 'hal',
        verb: 'reject-extension',
        body: { reason: 'The crane is booked by others tomorrow.' },
      })
    happen(add(draft), done)
  }
  // Extension requests that nobody decided before their permits expired: they lapsed.
  for (let i = 0; i < GOAL.lapsed; i++) {
    const end_at = later(halfHour(now), -(1 + i) * HOUR)
    const draft: Draft = {
      ...work('lapsed', job => LATE_CONTRACTORS.includes(job.contractor) && isGeneral(job)),
      start_at: clock(workday(dateOn(ZONE, end_at), -2), '07:30'),
      end_at,
      answers: 'all',
    }
    const { requestor } = CREWS[draft.job.contractor]
    const body = { requested_end_at: later(end_at, 4 * HOUR), reason: pick(REASONS.lapsed, 'lapsed') }
    happen(add(draft), [
      ...path(draft, 'issued'),
      { at: later(end_at, -lot.minutes(12, 25)), by: requestor, verb: 'request-extension', body },
      { at: later(end_at, MINUTE), by: 'clock', verb: 'sweep' },
    ])
  }
  for (let i = 0; i < GOAL.expired; i++) {
    const end_at = later(halfHour(now), -(1 + i * 5) * HOUR)
    const draft: Draft = {
      ...work('expired', job => LATE_CONTRACTORS.includes(job.contractor) && notGeneral(job)),
      start_at: later(end_at, -9 * HOUR),
      end_at,
      answers: 'all',
    }
    happen(add(draft), [...path(draft, 'issued'), { at: later(end_at, MINUTE), by: 'clock', verb: 'sweep' }])
  }

  // Permits that are waiting for a decision or a signature.
  const ahead = (i: number) => ofDay(workday(today, 1 + (i % 4)))
  const waiting = (
    name: keyof typeof GOAL,
    until: Until,
    fits: (job: Job) => boolean,
    of = ahead,
    more: (draft: Draft, i: number) => Omit<Step, 'permit'>[] = () => [],
  ) => {
    for (let i = 0; i < GOAL[name]; i++) {
      const draft: Draft = { ...work(name, fits), ...of(i), answers: i % 5 === 4 ? 'some' : 'all' }
      const done = path(draft, until)
      const last = done.at(-1)?.at ?? now
      const after = more(draft, i).map((step, n) => ({ ...step, at: later(last, (n + 1) * lot.minutes(40, 130)) }))
      happen(add(draft), [...done, ...after], lot.minutes(3, 20) + i * 21 * MINUTE)
    }
  }
  const running = () => windowAround(now, HOUR / 2, 6 * HOUR)
  waiting('signed', 'signed', twoStage, running)
  waiting(
    'approved',
    'approved',
    () => true,
    i => (i % 3 === 0 ? running() : ahead(i)),
  )
  waiting('endorsed', 'endorsed', twoStage)
  waiting('requested', 'requested', () => true)
  const by = (key: string, verb: Verb, body: Record<string, unknown>) => [{ at: now, by: key, verb, body }]
  waiting('corrections', 'requested', twoStage, ahead, () =>
    by('cora', 'request-corrections', { note: pick(REASONS.corrections, 'corrections') }),
  )
  // A walk-down that failed: the receiver hands the permit back before any work, with the reason.
  waiting(
    'failed',
    'signed',
    job => job.types.includes('HW') && job.types.length === 1,
    running,
    draft => by(CREWS[draft.job.contractor].receiver, 'hand-back', { work_complete: false, note: REASONS.failed }),
  )
  waiting('rejected', 'endorsed', twoStage, ahead, () => by('hal', 'reject', { reason: pick(REASONS.reject, 'reject') }))
  waiting(
    'withdrawn',
    'requested',
    () => true,
    ahead,
    draft => by(CREWS[draft.job.contractor].requestor, 'withdraw', { reason: pick(REASONS.withdraw, 'withdraw') }),
  )
  for (let i = 0; i < GOAL.draft; i++) {
    const draft: Draft = { ...work('draft', () => true), ...ahead(i), answers: i % 2 === 0 ? 'none' : 'some' }
    happen(add(draft), path(draft, 'draft'), lot.minutes(2, 15) + i * 50 * MINUTE)
  }

  // The steps of a permit keep their order; steps of different permits are ordered by time.
  const ordered = steps.map((step, i) => ({ step, i })).sort((a, b) => (a.step.at < b.step.at ? -1 : a.step.at > b.step.at ? 1 : a.i - b.i))
  return { begins: later(now, -60 * DAY), permits, steps: ordered.map(o => o.step) }
}
