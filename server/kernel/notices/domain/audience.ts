// The recipients (`messages.md` §0.2): from terms and facts to people, and the reasons why they are included.
import { fieldsIn, isOneOf, keysOf } from '../../../../shared/narrow.ts'
import { ROLES, type Role } from '../../../base/actor.ts'
import { type Id, isId } from '../../../base/ids.ts'
import { BANDS } from '../../access/domain.ts'
import type { Term } from './kinds.ts'

/** An active member, with the facts that notifications need. */
export type Member = {
  user_id: Id
  membership_id: Id
  name: string
  role: Role
  contractor_id: Id | null
  locale: string | null
  /** Verified, and not suppressed; null: no email reaches them. */
  email: string | null
  /** Why not. */
  no_email: 'no_address' | 'not_verified' | 'suppressed' | null
}

/** The people that a term means: those with any of these roles, these people, or people of these contractors with these roles. */
export type Wanted = { roles: readonly Role[]; user_ids: readonly Id[]; contractor_ids: readonly Id[]; contractor_roles: readonly Role[] }

/** The facts of an event that terms need: the people and contractors in it, who oversees those contractors, and who can decide the next gate. */
export type Carried = {
  named: ReadonlyMap<string, readonly Id[]>
  contractors: ReadonlyMap<string, readonly Id[]>
  overseers: ReadonlyMap<string, readonly Id[]>
  next_gate: { roles: readonly Role[]; user_ids: readonly Id[] }
}

const CONTRACTOR_ROLES: readonly Role[] = ['member', 'contractor_hse']
const NONE: Wanted = { roles: [], user_ids: [], contractor_ids: [], contractor_roles: [] }

/** Returns the people that a term means in this event; `otherwise` means the people of its own terms. */
export function wantedBy(term: Exclude<Term, { otherwise: readonly Term[] }>, carried: Carried): Wanted {
  if ('role' in term) return { ...NONE, roles: [term.role] }
  if ('band' in term) return { ...NONE, roles: BANDS[term.band] }
  if ('gate' in term) return { ...NONE, ...carried.next_gate }
  if ('named' in term) return { ...NONE, user_ids: carried.named.get(term.named) ?? [] }
  if ('user_id' in term) return { ...NONE, user_ids: [term.user_id] }
  if ('contractor' in term)
    return { ...NONE, contractor_ids: carried.contractors.get(term.contractor) ?? [], contractor_roles: term.roles ?? CONTRACTOR_ROLES }
  return { ...NONE, contractor_ids: carried.overseers.get(term.overseers_of) ?? [], contractor_roles: CONTRACTOR_ROLES }
}

/** Lists the terms one by one, including those of `otherwise`. */
export const plainTerms = (terms: readonly Term[]): Exclude<Term, { otherwise: readonly Term[] }>[] =>
  terms.flatMap(term => ('otherwise' in term ? plainTerms(term.otherwise) : [term]))

const isMeant = (member: Member, wanted: Wanted): boolean =>
  wanted.roles.includes(member.role) ||
  wanted.user_ids.includes(member.user_id) ||
  (member.contractor_id !== null && wanted.contractor_ids.includes(member.contractor_id) && wanted.contractor_roles.includes(member.role))

/** A recipient, with every term that includes them. */
export type Recipient = { member: Member; because: Term[] }
/** A person who was included and is not notified. */
export type Dropped = { user_id: Id; why: 'not_visible' | 'not_a_member' | 'actor' }
/** `meant`: whether the terms included anyone at all, counting the actor. */
export type Reached = { recipients: Recipient[]; dropped: Dropped[]; meant: boolean }

/** Returns the members who are notified. `sees`: those who can open the subject. */
export function reached(
  terms: readonly Term[],
  carried: Carried,
  members: readonly Member[],
  sees: ReadonlySet<Id>,
  actor: { id: Id | null; included: boolean },
): Reached {
  const dropped = new Map<Id, Dropped>()
  const known = new Set(members.map(member => member.user_id))
  const find = (some: readonly Term[]): Map<Id, Recipient> => {
    const found = new Map<Id, Recipient>()
    for (const term of some) {
      if ('otherwise' in term) continue
      const wanted = wantedBy(term, carried)
      for (const id of wanted.user_ids) if (!known.has(id)) dropped.set(id, { user_id: id, why: 'not_a_member' })
      for (const member of members) {
        if (!isMeant(member, wanted)) continue
        if (!sees.has(member.user_id)) {
          dropped.set(member.user_id, { user_id: member.user_id, why: 'not_visible' })
          continue
        }
        const before = found.get(member.user_id)
        if (before === undefined) found.set(member.user_id, { member, because: [term] })
        else before.because.push(term)
      }
    }
    return found
  }
  let found = find(terms)
  if (found.size === 0) found = find(terms.flatMap(term => ('otherwise' in term ? [...term.otherwise] : [])))
  const meant = found.size > 0
  if (actor.id !== null && !actor.included && found.delete(actor.id)) dropped.set(actor.id, { user_id: actor.id, why: 'actor' })
  return { recipients: [...found.values()], dropped: [...dropped.values()], meant }
}

/** Returns whether a value is a term, whatever the event has. */
export function isTerm(value: unknown): value is Term {
  const { role, band, gate, named, contractor, roles, overseers_of, user_id, otherwise } = fieldsIn(value)
  if (role !== undefined) return isOneOf(ROLES, role)
  if (band !== undefined) return isOneOf(keysOf(BANDS), band)
  if (gate !== undefined) return gate === 'next'
  if (contractor !== undefined)
    return typeof contractor === 'string' && (roles === undefined || (Array.isArray(roles) && roles.every(one => isOneOf(ROLES, one))))
  if (otherwise !== undefined) return Array.isArray(otherwise) && otherwise.every(isTerm)
  return [named, overseers_of, user_id].some(one => typeof one === 'string')
}

/** Returns what is wrong with a term that a person wrote. The identities and contractors are those of the event kind. */
export function termFault(
  term: unknown,
  kind: { identities: readonly string[]; contractors: readonly string[]; gate: boolean },
  depth = 0,
): string | null {
  if (typeof term !== 'object' || term === null || Array.isArray(term)) return 'must be an object such as {"role": "hse"}.'
  const given = fieldsIn(term)
  const keys = Object.keys(given)
  const [key = ''] = keys
  if (keys.some(k => k !== key && !(key === 'contractor' && k === 'roles')))
    return 'must have exactly one key (contractor can also have roles).'
  const value = given[key]
  const oneOf = (all: readonly string[], what: string) =>
    typeof value === 'string' && all.includes(value)
      ? null
      : `isn’t a known ${what}${all.length === 0 ? ' in this event.' : `. Use ${all.join(', ')}.`}`
  if (key === 'role') return oneOf(ROLES, 'role')
  if (key === 'band') return oneOf(Object.keys(BANDS), 'band')
  if (key === 'gate') return kind.gate ? oneOf(['next'], 'gate') : 'is for permit events only.'
  if (key === 'named') return oneOf(kind.identities, 'person')
  if (key === 'overseers_of') return oneOf(kind.contractors, 'contractor')
  if (key === 'contractor') {
    const { roles } = given
    const bad = roles !== undefined && !(Array.isArray(roles) && roles.length > 0 && roles.every(r => isOneOf(ROLES, r)))
    return bad ? `has roles that aren’t a list of known roles. Use ${ROLES.join(', ')}.` : oneOf(kind.contractors, 'contractor')
  }
  if (key === 'user_id') return typeof value === 'string' && isId(value) ? null : 'must be the id of a person.'
  if (key === 'otherwise') {
    if (depth > 0 || !Array.isArray(value) || value.length === 0) return 'must be a list of terms without another “otherwise”.'
    return value.map(one => termFault(one, kind, depth + 1)).find(fault => fault !== null) ?? null
  }
  return 'isn’t a term. Use role, band, gate, named, contractor, overseers_of, user_id or otherwise.'
}
