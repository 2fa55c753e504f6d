// Turns the time of the first start into a list of steps: which permit, who acts, and when. It is pure and gives the same plan for the same time: a
// fixed seed produces everything that looks random.
import { DAY, dateOn, HOUR, type Instant, later, MINUTE, ms, type WorkDate } from '../../shared/time.ts'
import { emptySite, type Occupied } from './apart.ts'
import { clock, halfHour, lots, type Window, windowAround, workday } from './hours.ts'
import type { Job } from './job.ts'
import { JOBS } from './jobs.ts'
import { CONTROLS, REASONS } from './reasons.ts'
import { takenByRegister } from './register.ts'
import { CREWS, PEOPLE, ZONE } from './site.ts'
import type { Spot } from './spots.ts'
import { STORIES } from './stories.ts'

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
  spot: Spot
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
  closed: 60,
  issued: 22,
  longer: 6,
  lapsed: 2,
  handed_back: 3,
  expired: 3,
  approved: 1,
  signed: 4,
  endorsed: 3,
  requested: 3,
  corrections: 5,
  failed: 1,
  rejected: 5,
  withdrawn: 5,
  draft: 5,
  reissued: 4,
} as const

/** In how many of its places a piece of work is tried. */
const DEPTH = 12
/** Contractors with expired permits that have not been closed out. The other contractors can still be issued permits. */
const LATE_CONTRACTORS = ['halden', 'brightwell']
const CHECKLIST = { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true }

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
  const despite = () => ({ red_conflict_reason: pick<string>(REASONS.despite, 'despite') })
  const site = emptySite()
  for (const [i, one] of takenByRegister(now).entries()) site.put(`register ${i}`, one)
  const takes = ({ job: { types }, spot, start_at, parent, made_of }: Draft, to: Instant | null): Occupied => ({
    ...{ types, spot, from: start_at, to },
    ...(parent === undefined ? {} : { parent }),
    ...(made_of === undefined ? {} : { made_of }),
  })
  /**
   * Picks the next suitable piece of work in its next place, as people do who know what is planned: where nothing else is in its way, or else as little as
   * possible. For every third permit they accept what can be settled with controls.
   */
  const work = (
    name: string,
    fits: (job: Job) => boolean,
    when: Window,
    more: { parent?: number; expires?: true } = {},
  ): Pick<Draft, 'job' | 'spot'> => {
    const jobs = JOBS.filter(fits)
    const first = turn.get(name) ?? 0
    const minds_amber = permits.length % 3 !== 0
    let best = { weight: Number.POSITIVE_INFINITY, at: 0, spot: 0 }
    for (let i = 0; i < jobs.length * DEPTH && best.weight > 0; i++) {
      const job = jobs[(first + i) % jobs.length]
      if (job === undefined) continue
      const at = (turn.get(job.title) ?? 0) + Math.floor(i / jobs.length)
      const spot = job.spots[at % job.spots.length]
      if (spot === undefined || at - (turn.get(job.title) ?? 0) >= job.spots.length) continue
      const asked = { ...when, job, spot, answers: 'all' as const, ...more }
      const { red, amber } = site.meets(takes(asked, more.expires ? null : when.end_at))
      const weight = red * 100 + (minds_amber ? amber : 0)
      if (weight < best.weight) best = { weight, at: first + i, spot: at }
    }
    const job = jobs[best.at % jobs.length]
    const spot = job?.spots[best.spot % job.spots.length]
    if (job === undefined || spot === undefined) throw new Error(`There is nothing to choose from for ${name}.`)
    turn.set(name, best.at + 1)
    turn.set(job.title, best.spot + 1)
    return { job, spot }
  }
  /** Adds a permit; `to`: until when it takes its place, if that isn't its window; `gone`: it doesn't. */
  const add = (draft: Draft, to: Instant | null | 'gone' = draft.end_at): number => {
    const number = permits.push(draft) - 1
    if (to !== 'gone') site.put(number, takes(draft, to))
    return number
  }
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
  const path = ({ job, start_at }: Draft, until: Until, reason = despite()): Omit<Step, 'permit'>[] => {
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
    done.push({ at: approved, by: lot.whole(0, 3) === 0 ? 'max' : 'hal', verb: 'approve', body: { ...more2, ...reason } })
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
  const ofDay = (date: WorkDate): Window => ({
    start_at: clock(date, pick(['07:30', '08:00', '08:00', '09:00'], 'begin')),
    end_at: clock(date, pick(['16:30', '17:00', '17:30'], 'end')),
  })
  const closing = (at: Instant, by: string): Omit<Step, 'permit'> => ({ at, by, verb: 'close-out', body: { checklist: CHECKLIST } })

  // Pairs in red conflict, before everything else, so that the other work keeps away from both.
  for (const part of STORIES) {
    const job = JOBS.find(one => one.title === part.title)
    const spot = job?.spots.find(one => one.says === part.place)
    if (job === undefined || spot === undefined) throw new Error(`There is no work ${part.title} at ${part.place}.`)
    const when = part.day === 0 ? windowAround(now, 3 * HOUR, 4 * HOUR) : ofDay(workday(today, part.day))
    const draft: Draft = { job, spot, ...when, answers: 'all' }
    happen(add(draft), path(draft, part.until, { red_conflict_reason: part.despite ?? pick<string>(REASONS.despite, 'despite') }))
  }

  // General permits that run for weeks: the parents of day permits.
  const weeks: number[] = []
  for (let i = 0; i < 4; i++) {
    const first = workday(today, -(3 + i))
    const when = { start_at: clock(first, '07:30'), end_at: clock(workday(today, 2 + i), '17:30') }
    const draft: Draft = { ...work('week', isGeneral, when), ...when, answers: 'all' }
    weeks.push(add(draft))
    happen(weeks.at(-1) ?? 0, path(draft, 'issued'))
  }

  // Three weeks of finished work.
  for (let i = 0; i < GOAL.closed; i++) {
    const when = ofDay(workday(today, -1 - (i % 15)))
    const draft: Draft = { ...work('closed', notGeneral, when), ...when, answers: 'all' }
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
    const left = i < 3 ? 20 * MINUTE + i * 12 * MINUTE : (3 + (i % 5)) * HOUR
    const window = windowAround(now, (2 + (i % 4)) * HOUR, left)
    const end_at = i < 3 ? later(halfHour(later(now, left)), 30 * MINUTE) : window.end_at
    const parent = i % 4 === 3 ? weeks[(i >> 2) % weeks.length] : undefined
    // A person who chooses a parent permit must be able to see it, so the parent belongs to the same contractor.
    const contractor = parent === undefined ? null : (permits[parent]?.job.contractor ?? null)
    const when = { start_at: window.start_at, end_at }
    const of = parent === undefined ? {} : { parent }
    const suits = (job: Job) => notGeneral(job) && twoStage(job) && (contractor === null || job.contractor === contractor)
    const draft: Draft = { ...work(`issued ${contractor ?? ''}`, suits, when, of), ...when, ...of, answers: 'all' }
    happen(add(draft), path(draft, 'issued'))
  }
  for (let i = 0; i < GOAL.handed_back; i++) {
    const when = windowAround(now, 5 * HOUR, 2 * HOUR)
    const draft: Draft = { ...work('handed back', notGeneral, when), ...when, answers: 'all' }
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
    const when = { start_at: clock(workday(today, -2), '07:30'), end_at: later(halfHour(now), (4 + i) * HOUR) }
    const requested_end_at = clock(workday(dateOn(ZONE, when.end_at), 1), '17:30')
    const draft: Draft = { ...work('longer', isGeneral, { ...when, end_at: requested_end_at }), ...when, answers: 'all' }
    const { requestor } = CREWS[draft.job.contractor]
    const asked = later(now, -lot.minutes(50, 170))
    const request = { requested_end_at, reason: pick(REASONS.longer, 'longer') }
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
    happen(add(draft, requested_end_at), done)
  }
  // Extension requests that nobody decided before their permits expired: they lapsed.
  for (let i = 0; i < GOAL.lapsed; i++) {
    const end_at = later(halfHour(now), -(1 + i) * HOUR)
    const when = { start_at: clock(workday(dateOn(ZONE, end_at), -2), '07:30'), end_at }
    const late = (job: Job) => LATE_CONTRACTORS.includes(job.contractor) && isGeneral(job)
    const draft: Draft = { ...work('lapsed', late, when, { expires: true }), ...when, answers: 'all' }
    const { requestor } = CREWS[draft.job.contractor]
    const body = { requested_end_at: later(end_at, 4 * HOUR), reason: pick(REASONS.lapsed, 'lapsed') }
    happen(add(draft, null), [
      ...path(draft, 'issued'),
      { at: later(end_at, -lot.minutes(12, 25)), by: requestor, verb: 'request-extension', body },
      { at: later(end_at, MINUTE), by: 'clock', verb: 'sweep' },
    ])
  }
  for (let i = 0; i < GOAL.expired; i++) {
    const end_at = later(halfHour(now), -(1 + i * 5) * HOUR)
    const when = { start_at: later(end_at, -9 * HOUR), end_at }
    const late = (job: Job) => LATE_CONTRACTORS.includes(job.contractor) && notGeneral(job)
    const draft: Draft = { ...work('expired', late, when, { expires: true }), ...when, answers: 'all' }
    happen(add(draft, null), [...path(draft, 'issued'), { at: later(end_at, MINUTE), by: 'clock', verb: 'sweep' }])
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
      const when = of(i)
      const draft: Draft = { ...work(name, fits, when), ...when, answers: i % 5 === 4 ? 'some' : 'all' }
      const done = path(draft, until)
      const last = done.at(-1)?.at ?? now
      const after = more(draft, i).map((step, n) => ({ ...step, at: later(last, (n + 1) * lot.minutes(40, 130)) }))
      const gone = name === 'rejected' || name === 'withdrawn'
      happen(add(draft, gone ? 'gone' : draft.end_at), [...done, ...after], lot.minutes(3, 20) + i * 21 * MINUTE)
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
    const when = ahead(i)
    const draft: Draft = { ...work('draft', () => true, when), ...when, answers: i % 2 === 0 ? 'none' : 'some' }
    happen(add(draft, 'gone'), path(draft, 'draft'), lot.minutes(2, 15) + i * 50 * MINUTE)
  }

  // The steps of a permit keep their order; steps of different permits are ordered by time.
  const ordered = steps.map((step, i) => ({ step, i })).sort((a, b) => (a.step.at < b.step.at ? -1 : a.step.at > b.step.at ? 1 : a.i - b.i))
  return { begins: later(now, -60 * DAY), permits, steps: ordered.map(o => o.step) }
}
