// The wording of a permit's document: its states as word, shape and tone; roles, answers and instants in the site's words.
import { type Instant, ms, wallOf, weekdayOf } from '../../../../../shared/time.ts'
import { awaitingCountersign, type CheckAnswer, type Status } from '../../kit/domain/facts.ts'
import type { RelatedPermit } from './facts.ts'

/** The status band of a document: a word, a shape and a tone that say the same, so that it is readable in black and white too. */
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

/** Returns a permit's status at an instant, for the person who has the printed permit. */
export function bandOf(permit: Standing, as_at: Instant, at: (instant: Instant | null) => string): Band {
  if (permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired'))
    return {
      word: 'HANDED BACK',
      shape: 'back',
      tone: 'act',
      says: `Work under this permit has stopped${permit.handed_back_complete === false ? '; the work isn’t complete' : ''}. Close-out is due.`,
    }
  if (awaitingCountersign(permit))
    return {
      word: 'AWAITING COUNTERSIGNATURE',
      shape: 'pen',
      tone: 'act',
      says: 'The issuer has signed and the receiver hasn’t. Don’t start work.',
    }
  switch (permit.status) {
    case 'draft':
      return { word: 'DRAFT', shape: 'dashed', tone: 'quiet', says: 'This draft hasn’t been submitted. Don’t start work.' }
    case 'requested':
      return { word: 'REQUESTED', shape: 'up', tone: 'quiet', says: 'Waiting for review. Don’t start work.' }
    case 'endorsed':
      return { word: 'ENDORSED', shape: 'tick', tone: 'quiet', says: 'Endorsed and waiting for approval. Don’t start work.' }
    case 'approved':
      return {
        word: 'APPROVED, NOT ISSUED',
        shape: 'ticks',
        tone: 'quiet',
        says: 'Waiting for the walk-down at the work front. Don’t start work.',
      }
    case 'corrections_requested':
      return {
        word: 'RETURNED FOR CORRECTIONS',
        shape: 'pencil',
        tone: 'warn',
        says: 'The requestor must correct and resubmit this permit. Don’t start work.',
      }
    case 'issued':
      if (permit.end_at !== null && permit.end_at <= as_at)
        return {
          word: 'WINDOW ENDED',
          shape: 'hourglass',
          tone: 'stop',
          says: `The permit window ended on ${at(permit.end_at)}. Stop work; the permit must be closed out.`,
        }
      // A snapshot is read later too, so a document printed before the start contains both ends of the window and says nothing about "now".
      if (permit.start_at !== null && permit.start_at > as_at) {
        const start = at(permit.start_at)
        const imported = permit.source === 'imported'
        const until = `Don’t start work before ${start}; work can go on until ${at(permit.end_at)}`
        return {
          word: `LIVE FROM ${start}${imported ? ', IMPORTED' : ''}`,
          shape: 'hourglass',
          tone: 'act',
          says: imported
            ? `${until}, according to the imported register. This permit wasn’t issued in Walkdown.`
            : `${until}, under the conditions below.`,
        }
      }
      if (permit.source === 'imported')
        return {
          word: 'LIVE, IMPORTED',
          shape: 'disc',
          tone: 'live',
          says: `Live until ${at(permit.end_at)}, according to the imported register. This permit wasn’t issued in Walkdown.`,
        }
      return {
        word: 'LIVE',
        shape: 'disc',
        tone: 'live',
        says: `Work can go on until ${at(permit.end_at)}, under the conditions below.`,
      }
    case 'expired':
      return {
        word: 'EXPIRED',
        shape: 'hourglass',
        tone: 'stop',
        says: `The permit window ended on ${at(permit.end_at)}. Stop work. Close-out is due.`,
      }
    case 'closed':
      return { word: 'CLOSED', shape: 'lock', tone: 'quiet', says: 'Closed out. No work is allowed under this permit.' }
    case 'rejected':
      return { word: 'REJECTED', shape: 'bar', tone: 'stop', says: 'Rejected in review. Don’t start work.' }
    case 'withdrawn':
      return { word: 'WITHDRAWN', shape: 'struck', tone: 'quiet', says: 'Withdrawn before it was issued. Don’t start work.' }
  }
}

/**
 * Returns the status of a related permit in a word. A document has no window of a related permit, and can be read at any time, so it calls none of them
 * live: an issued permit may not have started yet, or may be over.
 */
export function statusWord({ status, signed, handed_back }: RelatedPermit): string {
  if (handed_back === true && (status === 'issued' || status === 'expired')) return 'handed back'
  if (status === 'issued') return 'issued'
  if (signed === true && status === 'approved') return 'awaiting countersignature'
  const unknown = { start_at: null, end_at: null, issue_signed_at: null, handed_back_at: null, handed_back_complete: null }
  return inLowerCase(bandOf({ status, source: 'requested', ...unknown }, '', () => '').word)
}

/** Returns the word of a band inside a sentence: its capitals are lowered, but not those of a date. */
export const inLowerCase = (word: string): string => word.replace(/\b[A-Z]{2,}\b/g, found => found.toLowerCase())

/** The words for the answers to a pre-check. */
export const ANSWERS: Record<NonNullable<CheckAnswer['answer']>, string> = { yes: 'Yes', no: 'NO', not_applicable: 'Not applicable' }

/** What a signature was for, in words. */
export const SIGNED: Record<string, string> = {
  stage1_approve: 'Endorsed (stage 1)',
  stage2_approve: 'Approved (stage 2)',
  issue: 'Issued',
  countersign: 'Countersigned',
  hand_back: 'Handed back',
  extend_approve: 'Extension approved',
  revalidate: 'Revalidated',
  close_out: 'Closed out',
}

/** Returns a role as people say it. */
export const roleWord = (role: string | null): string => {
  const known: Record<string, string> = { hse: 'HSE', contractor_hse: 'contractor’s HSE' }
  return role === null ? '' : (known[role] ?? role.replaceAll('_', ' '))
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** Returns an instant as the site's clock shows it, with the day of the week: `Mon 16 Mar 2026, 18:00`. */
export function atSite(zone: string, at: Instant): string {
  const { date, time } = wallOf(zone, at)
  const [year, month, day] = date.split('-').map(Number)
  return `${DAYS[weekdayOf(date) - 1]} ${day} ${MONTHS[(month ?? 1) - 1]} ${year}, ${time}`
}

/** Returns the length of a window: "8 h", "2 days 4 h". */
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
