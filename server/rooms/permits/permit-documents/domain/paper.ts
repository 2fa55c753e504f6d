// Turns the facts of a permit into every sentence of its document, in order. The template contains no rules.
import { counted } from '../../../../../shared/text.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { awaitingCountersign, type CheckAnswer, isEditable } from '../../kit/domain/facts.ts'
import { isUnderWay } from '../../kit/domain/stops.ts'
import { isUnconfirmed } from '../../kit/domain/warnings.ts'
import type { PaperFacts } from './facts.ts'
import { ANSWERS, atSite, bandOf, inLowerCase, lengthOf, roleWord, SIGNED, statusWord } from './words.ts'

/** Maximum number of pictures shown in a document; the others are only listed. */
export const PHOTOS_AT_MOST = 12

/** What a document needs in addition to its facts: its QR code, and the names of its pictures. */
export type Dressing = {
  qr: { picture: string; address: string } | null
  /** The name of each attachment's picture. */
  photos: ReadonlyMap<string, string>
}

/** Returns everything that the template prints. */
export function paperOf(facts: PaperFacts, dressing: Dressing): Record<string, unknown> {
  const { permit, site } = facts
  const at = (instant: Instant | null) => (instant === null ? '—' : atSite(site.timezone, instant))
  const who = (id: string | null) => (id === null ? null : (facts.people[id] ?? 'a former member'))
  const band = bandOf(permit, facts.as_at, at)
  const number = permit.permit_number ?? 'No number yet'
  const title = permit.title ?? permit.categories.join(' + ')
  const imported = permit.source === 'imported'
  const where = [
    permit.location,
    facts.building,
    facts.level ?? levelOf(permit.level_index),
    facts.zone,
    permit.zone_text,
    permit.level_text,
  ]
  return {
    document: {
      title: `${permit.permit_number ?? 'Draft'}: ${title || 'Permit to work'}`,
      author: site.name,
      subject: `Permit to work, ${inLowerCase(band.word)}, as at ${at(facts.as_at)}`,
      keywords: ['permit to work', ...permit.categories],
      lang: 'en',
    },
    date: dateParts(facts.as_at),
    head: { number, word: band.word, kind: 'Permit to work', place: `${site.name} (${site.code})` },
    foot: `As at ${at(facts.as_at)}, ${site.timezone}.${dressing.qr === null ? '' : ' Scan the code for the permit’s current status.'}`,
    mark: permit.status === 'draft' || permit.submitted_at === null ? (imported ? null : 'DRAFT') : null,
    kind_line: `Permit to work · ${site.name}`,
    number,
    title: title || 'Permit to work',
    types: permit.categories.map(code => ({ code, name: facts.types.find(t => t.code === code)?.name ?? null })),
    status: band,
    qr:
      dressing.qr === null
        ? null
        : {
            picture: dressing.qr.picture,
            alt: `QR code with the signed statement of ${number}, leading to ${dressing.qr.address}`,
            says: `Scan the code, or check this permit at ${dressing.qr.address}`,
          },
    window: {
      from: at(permit.start_at),
      to: at(permit.end_at),
      length: permit.start_at === null || permit.end_at === null ? '' : lengthOf(permit.start_at, permit.end_at),
      zone: `Site time, ${site.timezone}`,
    },
    facts: [
      ['Where', unique(where).join(', ') || 'No place set'],
      ['Contractor', facts.contractor ?? 'Main contractor'],
      ['Receiver (in charge of the work)', who(permit.receiver_id) ?? 'Not named'],
      ['Issuer', who(permit.issuer_id) ?? 'Not signed'],
      ...(imported ? [] : [['Requested by', who(permit.requestor_id) ?? '—']]),
      ...(facts.reissued_from === null ? [] : [['Reissued from', facts.reissued_from]]),
    ].map(([label, value]) => ({ label, value })),
    missing: missingOf(facts),
    decision: decisionOf(permit, at),
    stopped: stoppedOf(facts, at),
    stops: stopsOf(facts, at),
    imported: imported
      ? 'This permit was imported from a register. It was not requested, reviewed or issued in Walkdown, and this document isn’t proof that it was.'
      : null,
    work: permit.description,
    limitations: permit.limitations,
    hazards: permit.hazards,
    ppe: permit.ppe,
    controls: permit.controls,
    added_controls: [
      { title: 'Added at endorsement (stage 1)', added: permit.stage1_controls },
      { title: 'Added at approval (stage 2)', added: permit.stage2_controls },
    ].flatMap(({ title, added }) => (added === null ? [] : [{ title, text: added.text, stamp: `${added.stamp}, ${at(added.added_at)}` }])),
    approval_note: permit.approval_note,
    checks: permit.pre_checks.map(check => ({
      label: check.label,
      required: check.required,
      comment: check.comment,
      open: check.answer === null || isUnconfirmed(check) || check.carried_forward,
      answer: answerOf(check),
      by: check.answered_by === null ? '' : `${who(check.answered_by)}${check.answered_at === null ? '' : `, ${at(check.answered_at)}`}`,
    })),
    related: [
      ...(facts.parent === null ? [] : [{ ...facts.parent, role: 'Parent permit' }]),
      ...facts.children.map(child => ({ ...child, role: 'Child permit' })),
    ].map(({ role, ...permit }) => ({ number: permit.permit_number, role, status: statusWord(permit) })),
    warnings: permit.issue_warnings.map(w => w.detail),
    steps: imported ? [] : stepsOf(facts, at),
    extensions: facts.extensions.map(e => ({
      asked: `${who(e.requested_by)}, ${at(e.requested_at)}`,
      span: `${at(e.previous_end_at)} – ${at(e.requested_end_at)}`,
      reason: e.reason,
      verdict: {
        requested: 'Not yet decided',
        approved: 'Approved',
        rejected: 'Rejected',
        superseded: 'Replaced by a later request',
        lapsed: 'Lapsed',
      }[e.status],
      by:
        e.decided_by === null
          ? ''
          : `${who(e.decided_by)}${e.decided_at === null ? '' : `, ${at(e.decided_at)}`}${e.decision_reason === null ? '' : `: ${e.decision_reason}`}`,
    })),
    ...filesOf(facts, dressing, at, who),
    chain: facts.signatures.map(s => ({
      number: s.number,
      what: SIGNED[s.kind] ?? s.kind,
      who: `${s.signer_name}${s.signer_role === null ? '' : `, ${roleWord(s.signer_role)}`}`,
      at: at(s.signed_at),
      statement: s.statement,
      note: s.note,
      on_behalf: s.on_behalf_of === null ? null : `Signed on behalf of ${s.on_behalf_of.name}, the named receiver`,
      hash: short(s.hash),
      content: short(s.content_hash),
      voided: s.voided_at === null ? null : `Voided ${at(s.voided_at)}${s.void_reason === null ? '' : `: ${s.void_reason}`}`,
    })),
    log: logOf(facts.log_head ?? null),
    chain_line: `${counted(facts.signatures.length, 'signature')}. Each signature covers the content of the permit and the signature before it, if there is one. The fingerprints show the first and last digits of the SHA-256.`,
  }
}

/** What a snapshot prints of the audit log: kept on paper, it proves later that the log up to there is the same. */
function logOf(head: string | null): { line: string; hash: string } | null {
  const [seq, hash] = head?.split(';') ?? []
  if (seq === undefined || hash === undefined) return null
  return { line: `When this document was recorded, the site’s audit log ended at entry ${seq}, with the SHA-256`, hash }
}

/** Returns an answer as it is printed: “not applicable” without a reason confirms nothing, and says so. */
function answerOf({ answer, carried_forward, ...check }: CheckAnswer): string {
  if (answer === null) return 'Not answered'
  const unsaid = answer === 'not_applicable' && isUnconfirmed({ answer, carried_forward, ...check }) ? ' (no reason)' : ''
  return `${ANSWERS[answer]}${unsaid}${carried_forward ? ' (copied, not confirmed)' : ''}`
}

const unique = (words: readonly (string | null)[]): string[] => [...new Set(words.filter(w => w !== null).filter(w => w !== ''))]

const levelOf = (index: number | null) => (index === null ? null : index === 0 ? 'ground level' : `level ${index}`)

const short = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-8)}`

const dateParts = (at: Instant) => {
  const [year, month, day, hour, minute, second] = at.split(/[-T:.Z]/).map(Number)
  return { year, month, day, hour, minute, second }
}

/** Returns what stopped the work under a live permit; null if it can go on. */
function stoppedOf({ permit, stopped = [] }: PaperFacts, at: (i: Instant) => string): { title: string; texts: string[] } | null {
  if (stopped.length === 0 || !isUnderWay(permit)) return null
  const texts = stopped.map(({ reason, stopped_at }) => `Since ${at(stopped_at)}: ${reason}`)
  return { title: 'Stopped: don’t work under this permit until it has been revalidated', texts }
}

/** Returns when work under the permit was stopped before, and when and by whose signature it could go on. */
function stopsOf(
  { was_stopped = [] }: PaperFacts,
  at: (i: Instant) => string,
): { from: string; reason: string; end: string; by: string }[] {
  return was_stopped.map(({ reason, stopped_at, revalidated_at, revalidated_by }) => ({
    ...{ from: at(stopped_at), reason },
    end: revalidated_at === null ? 'Not revalidated: the work had ended' : `Revalidated ${at(revalidated_at)}`,
    by: revalidated_by ?? '',
  }))
}

const TURNED: Readonly<Record<string, string>> = {
  request_corrections: 'Returned for corrections',
  reject: 'Rejected',
  withdraw: 'Withdrawn',
  hand_back: 'Handed back',
}

/** Returns why the permit was returned, rejected, withdrawn or handed back, and who decided it; null after any other decision. */
function decisionOf({ last_decision: last }: PaperFacts['permit'], at: (i: Instant) => string): { title: string; text: string } | null {
  const title = last === null ? undefined : TURNED[last.action]
  if (last === null || title === undefined) return null
  const by = `${last.by.name}${last.by.role === null ? '' : `, ${roleWord(last.by.role)}`}, ${at(last.at)}`
  return { title, text: `${by}: ${last.note ?? 'no reason given.'}` }
}

/** Returns what is missing that would be expected in the permit's present state. */
export function missingOf({ permit, signatures, types, attachments }: PaperFacts): string[] {
  if (permit.source === 'imported') return []
  const live = permit.status === 'issued' || permit.status === 'expired'
  const slots = new Map(types.flatMap(t => t.slots.map(s => [s.key, s] as const)))
  const empty = [...slots.values()].filter(slot => !attachments.some(a => a.slot === slot.key))
  const handBack = signatures.findLast(s => s.kind === 'hand_back' && s.voided_at === null)
  const handedBack = handBack !== undefined
  const open = permit.pre_checks.filter(c => c.answer === null)
  const found: (string | false)[] = [
    permit.receiver_id === null &&
      !['closed', 'rejected', 'withdrawn'].includes(permit.status) &&
      'No receiver is named, so no one can countersign this permit.',
    permit.controls === null && isEditable(permit.status) && 'No controls are listed.',
    (permit.start_at === null || permit.end_at === null) && 'No window is set.',
    permit.status === 'approved' && !awaitingCountersign(permit) && 'The issuer hasn’t signed at the work front.',
    awaitingCountersign(permit) && 'The receiver hasn’t countersigned this permit.',
    permit.status === 'issued' &&
      !signatures.some(s => s.kind === 'countersign' && s.voided_at === null) &&
      'This permit was issued with the issuer’s signature only: no receiver countersigned it.',
    permit.status === 'expired' && !handedBack && 'The receiver hasn’t handed this permit back.',
    live && handedBack && 'This permit hasn’t been closed out.',
    permit.status === 'expired' && !handedBack && 'This permit hasn’t been closed out.',
    permit.status === 'closed' && !handedBack && 'This permit was closed out without a hand-back signed by the receiver.',
    handBack?.on_behalf_of != null &&
      `The receiver didn’t sign the hand-back: ${handBack.signer_name} signed it on behalf of ${handBack.on_behalf_of.name}.`,
    open.length > 0 && `${counted(open.length, 'pre-check')} ${open.length === 1 ? 'hasn’t' : 'haven’t'} been answered.`,
    empty.length > 0 && `No document is attached for ${empty.map(s => `${s.label}${s.required ? ' (required)' : ''}`).join(', ')}.`,
  ]
  return found.filter(line => line !== false)
}

/** Returns the steps that the form of HSG250 asks for, each with the person who took it, or saying that nobody did. */
function stepsOf({ permit, signatures, people, extensions }: PaperFacts, at: (i: Instant) => string) {
  const signed = (kind: string) => signatures.findLast(s => s.kind === kind && s.voided_at === null)
  const row = (step: string, kind: string, open: string) => {
    const s = signed(kind)
    const signer = s === undefined ? null : `${s.signer_name}${s.signer_role === null ? '' : `, ${roleWord(s.signer_role)}`}`
    const who = s?.on_behalf_of == null ? signer : `${signer}, on behalf of ${s.on_behalf_of.name} (absent)`
    return { step, who, when: s === undefined ? null : at(s.signed_at), open }
  }
  const ended = permit.status === 'rejected' || permit.status === 'withdrawn'
  const yet = ended ? 'never' : 'not yet'
  const longer = extensions.filter(e => e.status === 'approved').length
  return [
    {
      step: 'Requested',
      who: permit.requestor_id === null ? null : (people[permit.requestor_id] ?? null),
      when: permit.submitted_at === null ? null : at(permit.submitted_at),
      open: 'not submitted',
    },
    ...(permit.pinned_single_stage === true ? [] : [row('Endorsed (coordination)', 'stage1_approve', yet)]),
    row('Approved (health and safety)', 'stage2_approve', yet),
    row('Issued at the work front', 'issue', yet),
    row('Countersigned by the receiver', 'countersign', yet),
    ...(longer === 0 ? [] : [row('Extended', 'extend_approve', yet)]),
    row(
      signed('hand_back')?.on_behalf_of == null ? 'Handed back by the receiver' : 'Handed back in the receiver’s absence',
      'hand_back',
      permit.status === 'closed' ? 'never' : yet,
    ),
    row('Closed out (cancelled)', 'close_out', yet),
  ]
}

function filesOf(
  { attachments, types }: PaperFacts,
  { photos }: Dressing,
  at: (i: Instant) => string,
  who: (id: string | null) => string | null,
) {
  const slots = new Map(types.flatMap(t => t.slots.map(s => [s.key, s.label] as const)))
  const slotOf = (slot: string | null) => (slot === null ? '' : (slots.get(slot) ?? slot))
  const about = (a: (typeof attachments)[number]) => `${who(a.created_by) ?? 'the register'}, ${at(a.created_at)}`
  const shown = attachments.filter(a => photos.has(a.id))
  const pictures = attachments.filter(a => a.media_type.startsWith('image/')).length
  return {
    files: attachments.map(a => ({
      name: a.filename,
      slot: slotOf(a.slot),
      about: `${a.media_type}, ${sizeOf(a.size)}; ${about(a)}`,
      sha256: [a.sha256.slice(0, 32), a.sha256.slice(32)],
    })),
    photos: shown.map(a => ({
      picture: photos.get(a.id),
      alt: `Photo ${a.filename}${a.slot === null ? '' : `, ${slotOf(a.slot)}`}`,
      caption: [a.filename, slotOf(a.slot)].filter(w => w !== '').join(' · '),
      about: about(a),
    })),
    more_photos:
      pictures > shown.length
        ? `${counted(pictures - shown.length, 'more picture')} ${pictures - shown.length === 1 ? 'is' : 'are'} not shown here. See the list of files above.`
        : null,
  }
}

const sizeOf = (bytes: number) => (bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`)
