// An independent model of a permit's life, written from the specification alone: nothing here is imported from the service. R1 runs random commands
// against both and expects no difference. Simple tables are preferred to clever code: each line matches a line of `permits.md` or `permits-decisions.md`.

export type Role = 'admin' | 'site_manager' | 'coordinator' | 'hse' | 'member' | 'viewer' | 'client' | 'commercial' | 'contractor_hse'

/** A person; `role` null with `superadmin`: a member of no site, whose access comes from the flag. */
export type Person = { id: string; role: Role | null; superadmin: boolean; contractor: string | null; appointed: Set<string> }

/** A permit type; `slots` are labels of documents that submitting requires, `hours` its default duration. */
export type Kind = { single: boolean; extendable: boolean; needs_parent: boolean; slots: string[]; hours: number }

export type Status =
  | 'draft'
  | 'requested'
  | 'endorsed'
  | 'approved'
  | 'issued'
  | 'expired'
  | 'closed'
  | 'rejected'
  | 'withdrawn'
  | 'corrections_requested'

export type Signature = { kind: string; by: string; voided: boolean }

export type Permit = {
  id: string
  number: string | null
  status: Status
  requestor: string
  receiver: string | null
  contractor: string | null
  codes: string[]
  parent: string | null
  start: number
  end: number
  window: boolean
  files: Set<string>
  pinned_single: boolean
  pinned_parent: boolean
  submitted: boolean
  endorsed: boolean
  approved: boolean
  live_once: boolean
  issuer: string | null
  handed_back: boolean
  warned: boolean
  extension: { id: string; end: number } | null
  signatures: Signature[]
  events: Record<string, number>
}

export type World = {
  now: number
  lead: number
  gate: boolean
  nominees: Set<string>
  kinds: Record<string, Kind>
  people: Person[]
  permits: Map<string, Permit>
  numbers: number
}

export type Body = {
  note?: string
  reason?: string
  checklist?: boolean[]
  end?: number
}

/** The service's expected response. `word`: the gate, guard or reason of a refusal, if there is one. */
export type Answer = { status: number; code?: string; word?: string }

const OK: Answer = { status: 200 }
const gate = (word: string): Answer => ({ status: 409, code: 'permit_gate_error', word })
const FORBIDDEN: Answer = { status: 403, code: 'forbidden' }
const NOT_OWNER: Answer = { status: 403, code: 'permit_ownership_error' }
const WRONG: Answer = { status: 409, code: 'invalid_transition' }
const INVALID: Answer = { status: 422, code: 'validation_failed' }
const ABSENT: Answer = { status: 404, code: 'not_found' }

export const HOUR = 3_600_000
const STAGE2: (Role | null)[] = ['hse', 'site_manager', 'admin']
const STAGE1: (Role | null)[] = ['coordinator', ...STAGE2]
const ASKS: (Role | null)[] = ['member', 'contractor_hse', ...STAGE1]
const OVER: Status[] = ['closed', 'rejected', 'withdrawn']
const WRITABLE: Status[] = ['draft', 'corrections_requested']

const stage1 = (who: Person) => who.superadmin || STAGE1.includes(who.role)
const stage2 = (who: Person) => who.superadmin || STAGE2.includes(who.role)
const asks = (who: Person) => who.superadmin || ASKS.includes(who.role)
/** A membership with a contractor limits every step to that contractor. */
const within = (p: Permit, who: Person) =>
  who.superadmin || who.contractor === null || p.contractor === null || who.contractor === p.contractor
const writes = (p: Permit, who: Person) => asks(who) && within(p, who)
const owns = (p: Permit, who: Person) => who.superadmin || p.requestor === who.id
const covers = (who: Person, code: string) => who.appointed.has('*') || who.appointed.has(code)
const coversAll = (p: Permit, who: Person) => p.codes.length > 0 && p.codes.every(code => covers(who, code))
const coversAny = (p: Permit, who: Person) => who.appointed.has('*') || p.codes.some(code => covers(who, code))
const ofContractor = (p: Permit, who: Person) => (who.role === 'member' || who.role === 'contractor_hse') && who.contractor === p.contractor

const kindsOf = (w: World, p: Permit): Kind[] => p.codes.flatMap(code => w.kinds[code] ?? [])
/** Derived rule 1: only if every category allows it. */
const allSay = (w: World, p: Permit, what: 'single' | 'extendable') => p.codes.length > 0 && kindsOf(w, p).every(k => k[what])
export const single = (w: World, p: Permit): boolean => (WRITABLE.includes(p.status) ? allSay(w, p, 'single') : p.pinned_single)
/** Derived rule 4. */
const wantsParent = (w: World, p: Permit) => kindsOf(w, p).some(k => k.needs_parent) && !p.codes.includes('GEN')
const childrenOf = (w: World, p: Permit) => [...w.permits.values()].filter(c => c.parent === p.id)

/** R10 and the visibility row of the decisions. */
export function sees(p: Permit, who: Person, w: World): boolean {
  if (who.superadmin || p.requestor === who.id) return true
  if (!p.submitted) return false
  if (STAGE1.includes(who.role) || p.receiver === who.id || ofContractor(p, who)) return true
  if (['viewer', 'client', 'commercial'].includes(who.role ?? '') && p.live_once) return true
  if (w.nominees.has(who.id) && (p.endorsed || p.approved)) return true
  return p.approved && coversAny(p, who)
}

/** The state table: which steps leave a status. */
function listed(w: World, p: Permit): string[] {
  const review = ['request_corrections', 'reject', 'withdraw']
  switch (p.status) {
    case 'draft':
    case 'corrections_requested':
      return ['submit', 'withdraw']
    case 'requested':
      return [single(w, p) ? 'approve' : 'endorse', ...review]
    case 'endorsed':
      return ['approve', ...review]
    case 'approved':
      return p.issuer === null ? ['issue', 'hand_back', 'withdraw'] : ['countersign', 'hand_back']
    case 'issued':
      return ['hand_back', 'close_out', 'request_extension', 'approve_extension', 'reject_extension', 'reissue']
    case 'expired':
      return ['hand_back', 'close_out', 'reissue']
    case 'closed':
      return ['reissue']
    default:
      return []
  }
}

function mayNot(w: World, p: Permit, who: Person, action: string): Answer | null {
  const isReceiver = p.receiver === who.id
  const isIssuer = p.issuer === who.id || coversAll(p, who)
  const allow = (yes: boolean, no = FORBIDDEN) => (yes ? null : no)
  switch (action) {
    case 'submit':
    case 'withdraw':
      return (
        allow(owns(p, who), NOT_OWNER) ??
        allow(writes(p, who) && (action !== 'submit' || p.contractor !== null || who.superadmin || who.contractor === null))
      )
    case 'endorse':
      return allow(stage1(who))
    case 'approve':
    case 'approve_extension':
    case 'reject_extension':
      return allow(stage2(who))
    case 'request_corrections':
    case 'reject':
      return allow(p.status === 'requested' && !single(w, p) ? stage1(who) : stage2(who))
    case 'issue':
      return allow(coversAll(p, who), gate('no_active_appointment'))
    case 'countersign':
      return allow(isReceiver, gate('not_named_receiver'))
    case 'hand_back':
      return allow(stage2(who) || isReceiver || (p.status === 'approved' && isIssuer))
    case 'close_out':
      return allow(stage1(who) || coversAny(p, who))
    case 'request_extension':
      return allow((p.requestor === who.id && writes(p, who)) || isReceiver || isIssuer || stage1(who))
    case 'reissue':
      return allow(writes(p, who) && (p.requestor === who.id || isReceiver || stage1(who) || ofContractor(p, who)))
    default:
      throw new Error(action)
  }
}

/** Gates of a step, in the order of the table. For a flag, which has no body, faults that the body could correct don't count. */
function gateOf(w: World, p: Permit, action: string, body: Body | null): Answer | null {
  const outside = (end: number | undefined): Answer | null => {
    const parent = p.parent === null ? undefined : w.permits.get(p.parent)
    return parent?.window && end !== undefined && (end > parent.end || p.start < parent.start) ? gate('outside_parent_window') : null
  }
  switch (action) {
    case 'submit': {
      const labels = new Set(kindsOf(w, p).flatMap(k => k.slots))
      if ([...labels].some(label => !p.files.has(label))) return gate('missing_attachments')
      const parent = p.parent === null ? undefined : w.permits.get(p.parent)
      return wantsParent(w, p) && (parent === undefined || OVER.includes(parent.status)) ? gate('parent_missing') : null
    }
    case 'issue': {
      const late = [...w.permits.values()].some(o => o.id !== p.id && o.status === 'expired' && o.contractor === p.contractor)
      return w.gate && p.contractor !== null && late ? gate('close_out_gate') : null
    }
    case 'close_out':
      if (body !== null && ![0, 1, 2].every(i => body.checklist?.[i] === true)) return gate('checklist_incomplete')
      return childrenOf(w, p).some(c => !OVER.includes(c.status)) ? gate('open_children') : null
    case 'request_extension':
    case 'approve_extension':
      if (!allSay(w, p, 'extendable')) return gate('not_extendable')
      return outside(action === 'approve_extension' ? (p.extension?.end ?? p.end) : body === null ? p.end + 1 : body.end) ?? handedBack(p)
    default:
      return null
  }
}

/** A permit that was handed back can't be extended. */
const handedBack = (p: Permit): Answer | null => (p.handed_back ? { ...WRONG, word: 'not_handed_back' } : null)

/** Returns the latest end that one request can ask for: the current end plus the longest default duration of its types. */
const latest = (w: World, p: Permit) => p.end + Math.max(...kindsOf(w, p).map(k => k.hours)) * HOUR

const BODY: Record<string, 'note' | 'reason'> = { reject: 'reason', request_corrections: 'note', reject_extension: 'reason' }
const OWN_WRITES = ['submit', 'withdraw', 'edit', 'delete']

/** The schema of the API refuses the call, because a required field is missing. */
export const malformed = (action: string, body: Body): boolean => {
  const need = BODY[action]
  return need !== undefined && (body[need] ?? '') === ''
}

/** Returns the expected result of a call. */
export function judge(w: World, p: Permit | undefined, who: Person, action: string, body: Body = {}): Answer {
  if (who.role === null && !who.superadmin) return ABSENT
  if (malformed(action, body)) return INVALID
  if (p === undefined) return ABSENT
  if (!sees(p, who, w) && !(OWN_WRITES.includes(action) && !p.submitted)) return ABSENT
  return onSeen(w, p, who, action, body)
}

function onSeen(w: World, p: Permit, who: Person, action: string, body: Body | null): Answer {
  if (action === 'edit') return !WRITABLE.includes(p.status) ? WRONG : !owns(p, who) ? NOT_OWNER : writes(p, who) ? OK : FORBIDDEN
  if (action === 'delete') {
    if (!owns(p, who)) return NOT_OWNER
    if (!writes(p, who)) return FORBIDDEN
    if (p.number !== null) return { status: 409, code: 'conflict', word: 'is_a_record' }
    if (p.status !== 'draft') return WRONG
    return childrenOf(w, p).length > 0 ? { status: 409, code: 'conflict', word: 'in_use' } : { status: 204 }
  }
  if (action === 'attach') {
    if (OVER.includes(p.status)) return WRONG
    const own = WRITABLE.includes(p.status) && owns(p, who)
    if (own && writes(p, who)) return { status: 201 }
    const party = stage1(who) || p.receiver === who.id || p.issuer === who.id || (p.approved && coversAny(p, who))
    return party ? { status: 201 } : owns(p, who) && !own ? WRONG : FORBIDDEN
  }
  if ((action === 'approve_extension' || action === 'reject_extension') && p.extension === null && body !== null) return WRONG
  if (action === 'request_extension' && body !== null && p.status === 'issued') {
    const end = body.end ?? 0
    if (end <= p.end || end <= w.now || end > latest(w, p)) return INVALID
  }
  if (!listed(w, p).includes(action)) return WRONG
  const no = mayNot(w, p, who, action)
  if (no !== null) return no
  if (action === 'submit' && (p.codes.length === 0 || !p.window)) return INVALID
  const refused = gateOf(w, p, action, body)
  if (refused !== null) return refused
  if ((action === 'approve_extension' || action === 'reject_extension') && p.extension === null)
    return { ...WRONG, word: 'extension_requested' }
  return action === 'reissue' || action === 'request_extension' ? { status: 201 } : OK
}

export const FLAGS = [
  'edit',
  'delete',
  'attach',
  'submit',
  'withdraw',
  'endorse',
  'approve',
  'reject',
  'request_corrections',
  'hand_back',
  'issue',
  'countersign',
  'close_out',
  'request_extension',
  'approve_extension',
  'reject_extension',
  'reissue',
] as const

/** Decisions §2: the flag and the call never disagree. */
export const flags = (w: World, p: Permit, who: Person): Record<string, boolean> => ({
  ...Object.fromEntries(FLAGS.map(action => [action, onSeen(w, p, who, action, null).status < 300])),
  // Nobody stops an area in these lives, so there is nothing to revalidate.
  revalidate: false,
})

const tell = (p: Permit, kind: string) => {
  p.events[kind] = (p.events[kind] ?? 0) + 1
}
/** A request that is open when its permit stops being live lapses. */
const lapse = (p: Permit) => {
  if (p.extension === null) return
  p.extension = null
  tell(p, 'permit.extension_lapsed')
}
const sign = (p: Permit, kind: string, who: Person) => p.signatures.push({ kind, by: who.id, voided: false })
const annul = (p: Permit, kinds: string[]) => {
  for (const s of p.signatures) if (kinds.includes(s.kind)) s.voided = true
}

/** Applies an allowed step to the model. */
export function apply(w: World, p: Permit, who: Person, action: string, body: Body = {}, id = ''): void {
  switch (action) {
    case 'submit':
      if (p.submitted) {
        annul(p, ['stage1_approve', 'stage2_approve'])
        p.endorsed = p.approved = false
      }
      p.number ??= `PTW-${String(++w.numbers).padStart(6, '0')}`
      p.pinned_single = allSay(w, p, 'single')
      p.pinned_parent = wantsParent(w, p)
      p.submitted = true
      p.status = 'requested'
      tell(p, 'permit.submitted')
      return
    case 'withdraw':
      // What was returned can have another text than the one that they signed (decision 1096).
      if (p.status === 'corrections_requested') annul(p, ['stage1_approve', 'stage2_approve', 'issue', 'countersign'])
      p.status = 'withdrawn'
      if (p.submitted) tell(p, 'permit.withdrawn')
      return
    case 'endorse':
      p.status = 'endorsed'
      p.endorsed = true
      sign(p, 'stage1_approve', who)
      tell(p, 'permit.endorsed')
      return
    case 'approve':
      p.status = 'approved'
      p.approved = true
      sign(p, 'stage2_approve', who)
      tell(p, 'permit.approved')
      return
    case 'reject':
      p.status = 'rejected'
      tell(p, 'permit.rejected')
      return
    case 'request_corrections':
      p.status = 'corrections_requested'
      tell(p, 'permit.corrections_requested')
      return
    case 'issue':
      p.issuer = who.id
      sign(p, 'issue', who)
      tell(p, 'permit.issue_signed')
      return
    case 'countersign':
      p.status = 'issued'
      p.live_once = true
      sign(p, 'countersign', who)
      tell(p, 'permit.issued')
      return
    case 'hand_back':
      if (p.status === 'approved') {
        annul(p, ['issue'])
        p.issuer = null
        p.status = 'corrections_requested'
        tell(p, 'permit.corrections_requested')
        return
      }
      p.handed_back = true
      sign(p, 'hand_back', who)
      tell(p, 'permit.handed_back')
      return
    case 'close_out':
      lapse(p)
      p.status = 'closed'
      sign(p, 'close_out', who)
      tell(p, 'permit.closed')
      return
    case 'request_extension':
      p.extension = { id, end: body.end ?? 0 }
      tell(p, 'permit.extension_requested')
      return
    case 'approve_extension':
      p.end = p.extension?.end ?? p.end
      p.extension = null
      p.warned = false
      sign(p, 'extend_approve', who)
      tell(p, 'permit.extension_approved')
      return
    case 'reject_extension':
      p.extension = null
      tell(p, 'permit.extension_rejected')
      return
    case 'delete':
      w.permits.delete(p.id)
      return
    case 'edit':
      // A copy of a permit without a contractor can belong to someone who has one: their first edit gives it theirs.
      if (!who.superadmin) p.contractor ??= who.contractor
      tell(p, 'permit.edited')
      return
    case 'reissue':
      tell(p, 'permit.reissued')
      fresh(w, { ...p, id, requestor: who.id, receiver: null, parent: openParent(w, p) })
      return
    case 'attach':
      return
    default:
      throw new Error(action)
  }
}

const openParent = (w: World, p: Permit): string | null => {
  const parent = p.parent === null ? undefined : w.permits.get(p.parent)
  return parent === undefined || OVER.includes(parent.status) ? null : parent.id
}

/** A new draft. */
export function fresh(
  w: World,
  from: Pick<Permit, 'id' | 'requestor' | 'receiver' | 'contractor' | 'codes' | 'parent' | 'start' | 'end' | 'window'>,
): Permit {
  const p: Permit = {
    id: from.id,
    number: null,
    status: 'draft',
    requestor: from.requestor,
    receiver: from.receiver,
    contractor: from.contractor,
    codes: [...from.codes],
    parent: from.parent,
    start: from.start,
    end: from.end,
    window: from.window,
    files: new Set(),
    pinned_single: false,
    pinned_parent: false,
    submitted: false,
    endorsed: false,
    approved: false,
    live_once: false,
    issuer: null,
    handed_back: false,
    warned: false,
    extension: null,
    signatures: [],
    events: { 'permit.created': 1 },
  }
  w.permits.set(p.id, p)
  return p
}

/** Moves the clock and runs the scheduler: it raises warnings and never closes. */
export function sweep(w: World, now: number): void {
  w.now = now
  for (const p of w.permits.values()) {
    if (p.status !== 'issued') continue
    if (p.end <= now) {
      lapse(p)
      p.status = 'expired'
      tell(p, 'permit.expired')
    } else if (!p.warned && p.end <= now + w.lead * HOUR) {
      p.warned = true
      tell(p, 'permit.expiring_soon')
    }
  }
}

/** Returns the open gate task of a permit: its kind, and who it is addressed to. */
export function taskOf(w: World, p: Permit): { kind: string; bands: string[]; users: string[] } | null {
  const members = w.people.filter(who => who.role !== null)
  const ids = (list: Person[]) => list.map(who => who.id).sort()
  switch (p.status) {
    case 'requested':
      return single(w, p)
        ? { kind: 'approve_permit', bands: ['stage2'], users: [] }
        : { kind: 'endorse_permit', bands: ['stage1'], users: [] }
    case 'endorsed':
      return { kind: 'approve_permit', bands: ['stage2'], users: [] }
    case 'approved':
      return p.issuer === null ? { kind: 'issue_permit', bands: ['stage2'], users: ids(members.filter(who => coversAll(p, who))) } : null
    case 'issued':
    case 'expired':
      return { kind: 'close_out_permit', bands: ['stage1', 'stage2'], users: ids(members.filter(who => coversAny(p, who))) }
    default:
      return null
  }
}

/** A source of random values, as `tests/chance.ts` makes it. */
type Chance = { below(n: number): number; of<T>(list: readonly T[]): T; odds(p: number): boolean }

/** Returns a random command: usually one that the table lists, by a person with the right; otherwise anything by anyone. */
export function anyCommand(c: Chance, w: World): { permit: Permit; who: Person; action: string; body: Body } | null {
  const permits = [...w.permits.values()]
  if (permits.length === 0) return null
  const open = permits.filter(p => !OVER.includes(p.status))
  const wanted = c.odds(0.7)
  for (let tries = 0; ; tries++) {
    const permit = c.odds(0.9) && open.length > 0 ? c.of(open.slice(-12)) : c.of(permits)
    const steps = listed(w, permit).filter(action => action !== 'withdraw' && action !== 'reject')
    const action = c.odds(0.65) && steps.length > 0 ? c.of(steps) : c.of(FLAGS)
    const body: Body = {
      ...(c.odds(0.9) ? { note: 'Because' } : {}),
      ...(c.odds(0.9) ? { reason: 'Because' } : {}),
      checklist: c.odds(0.8) ? [true, true, true] : [true, c.odds(0.5), c.odds(0.5)],
      end: permit.end + (c.below(20) - 2) * HOUR,
    }
    const able = w.people.filter(who => judge(w, permit, who, action, body).status < 300)
    if (wanted && able.length === 0 && tries < 4) continue
    return { permit, who: wanted && able.length > 0 ? c.of(able) : c.of(w.people), action, body }
  }
}
