// How a permit's paper speaks: its states in word, shape and tone; roles, answers and instants in words of the site.
import { type Instant, ms, wallOf, weekdayOf } from '../../../../shared/time.ts'
import { awaitingCountersign, type CheckAnswer, type Status } from '../../permits/domain/facts.ts'

/** The band of a paper: a word, a shape and a tone that say the same, so that it reads in black and white too. */
export type Band = { word: string; shape: string; tone: 'live' | 'stop' | 'act' | 'warn' | 'quiet'; says: string }

type Standing = {
  status: Status
  source: 'requested' | 'imported'
  start_at: Instant | null
  end_at: Instant | null
  issue_signed_at: Instant | null
  handed_back_at: Instant | null
  handed_back_complete: boolean | null
}

/** The status of a permit at an instant, for the person who has its paper. */
export function bandOf(permit: Standing, as_at: Instant, at: (instant: Instant | null) => string): Band {
  if (permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired'))
    return {
      word: 'HANDED BACK',
      shape: 'back',
      tone: 'act',
      says: `Work under it has stopped${permit.handed_back_complete === false ? ', the work is not complete' : ''}. It waits for its close-out.`,
    }
  if (awaitingCountersign(permit))
    return {
      word: 'AWAITING COUNTERSIGN',
      shape: 'pen',
      tone: 'act',
      says: 'Issued by the issuer, not yet accepted by the receiver. No work yet.',
    }
  switch (permit.status) {
    case 'draft':
      return { word: 'DRAFT', shape: 'dashed', tone: 'quiet', says: 'Never submitted. This is no permit: nothing may be done under it.' }
    case 'requested':
      return { word: 'REQUESTED', shape: 'up', tone: 'quiet', says: 'Waits for review. No work yet.' }
    case 'endorsed':
      return { word: 'ENDORSED', shape: 'tick', tone: 'quiet', says: 'Checked for coordination, waits for approval. No work yet.' }
    case 'approved':
      return {
        word: 'APPROVED, NOT ISSUED',
        shape: 'ticks',
        tone: 'quiet',
        says: 'Waits for the walk-down at the work front. No work yet.',
      }
    case 'corrections_requested':
      return { word: 'BACK FOR CORRECTIONS', shape: 'pencil', tone: 'warn', says: 'With its requestor again. No work.' }
    case 'issued':
      if (permit.end_at !== null && permit.end_at <= as_at)
        return {
          word: 'WINDOW ENDED',
          shape: 'hourglass',
          tone: 'stop',
          says: `Its window ended ${at(permit.end_at)}. Stop work; the permit must be closed out.`,
        }
      if (permit.source === 'imported')
        return {
          word: 'LIVE, IMPORTED',
          shape: 'disc',
          tone: 'live',
          says: `In force until ${at(permit.end_at)} by the register that it came from. Nobody signed it here.`,
        }
      return {
        word: 'LIVE',
        shape: 'disc',
        tone: 'live',
        says: `Work may go on inside its window, until ${at(permit.end_at)}, under the conditions below.`,
      }
    case 'expired':
      return {
        word: 'EXPIRED',
        shape: 'hourglass',
        tone: 'stop',
        says: `Its window ended ${at(permit.end_at)}. Stop work; it waits for its close-out.`,
      }
    case 'closed':
      return { word: 'CLOSED', shape: 'lock', tone: 'quiet', says: 'Closed out. No work under it any more.' }
    case 'rejected':
      return { word: 'REJECTED', shape: 'bar', tone: 'stop', says: 'Refused in review. No work.' }
    case 'withdrawn':
      return { word: 'WITHDRAWN', shape: 'struck', tone: 'quiet', says: 'Taken back before it was issued. No work.' }
  }
}

/** A status in a word, for lists of related permits. */
export const statusWord = (status: Status): string =>
  bandOf(
    { status, source: 'requested', start_at: null, end_at: null, issue_signed_at: null, handed_back_at: null, handed_back_complete: null },
    '',
    () => '',
  ).word.toLowerCase()

/** An answer to a pre-check. */
export const ANSWERS: Record<NonNullable<CheckAnswer['answer']>, string> = { yes: 'Yes', no: 'NO', not_applicable: 'Does not apply' }

/** What a signature was for. */
export const SIGNED: Record<string, string> = {
  stage1_approve: 'Endorsed (stage 1)',
  stage2_approve: 'Approved (stage 2)',
  issue: 'Issued',
  countersign: 'Accepted',
  hand_back: 'Handed back',
  extend_approve: 'Longer window',
  close_out: 'Closed out',
}

/** A role as people say it. */
export const roleWord = (role: string | null): string => {
  const known: Record<string, string> = { hse: 'HSE', contractor_hse: 'contractor’s HSE' }
  return role === null ? '' : (known[role] ?? role.replaceAll('_', ' '))
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** An instant as the site's clock shows it, with the day of the week: `Mon 16 Mar 2026, 18:00`. */
export function atSite(zone: string, at: Instant): string {
  const { date, time } = wallOf(zone, at)
  const [year, month, day] = date.split('-').map(Number)
  return `${DAYS[weekdayOf(date) - 1]} ${day} ${MONTHS[(month ?? 1) - 1]} ${year}, ${time}`
}

/** How long a window is: "8 h", "2 days 4 h". */
export function lengthOf(from: Instant, to: Instant): string {
  const minutes = Math.round((ms(to) - ms(from)) / 60_000)
  const parts = [
    [Math.floor(minutes / 1440), minutes >= 2880 ? 'days' : 'day'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const
  return (
    parts
      .filter(([n]) => n > 0)
      .map(([n, unit]) => `${n} ${unit}`)
      .join(' ') || '0 min'
  )
}
