// The recipients of permit notifications (`messages.md` §0.3). The first seven are the Events table of `permits.md`, and nobody can change them; the
// others go to the person responsible for the permit, and a site can switch each one off.
import type { NoticeKind, ShippedRule, Term } from '../../../../kernel/notices/domain/kinds.ts'

const group = 'Permits'
const LEFT = ['permit.corrections_requested', 'permit.rejected', 'permit.withdrawn']

/** Returns a fixed kind: it can't be switched off in the app, and it has the urgency `attention`. */
const fixed = (kind: string, label: string, channels: NoticeKind['channels'], many: string, moot_after: readonly string[]): NoticeKind => ({
  kind,
  label,
  group,
  urgency: 'attention',
  channels,
  mandatory: ['in_app'],
  many,
  moot_after,
})

const own = (kind: string, label: string, many: string, more: Partial<NoticeKind> = {}): NoticeKind => ({
  kind,
  label,
  group,
  urgency: 'info',
  channels: ['in_app'],
  many,
  ...more,
})

/** Marks kinds that are also sent while the site is locked, because work in the field must be made safe. */
const inTheField = (...kinds: NoticeKind[]): NoticeKind[] => kinds.map(kind => ({ ...kind, on_locked_site: true }))

/** Every kind of notification about permits. */
export const permitNotices: readonly NoticeKind[] = [
  fixed('permit_awaiting_endorsement', 'Permits waiting for endorsement', ['in_app'], '{{count}} permits are waiting for endorsement', [
    'permit.endorsed',
    ...LEFT,
  ]),
  fixed('permit_awaiting_approval', 'Permits waiting for approval', ['in_app'], '{{count}} permits are waiting for approval', [
    'permit.approved',
    'permit.issue_signed',
    ...LEFT,
  ]),
  {
    ...fixed(
      'permit_awaiting_countersign',
      'Permits waiting for your countersignature',
      ['in_app', 'push'],
      '{{count}} permits are waiting for your countersignature',
      ['permit.issued', 'permit.handed_back', 'permit.expired', ...LEFT],
    ),
    ttl_seconds: 4 * 3600,
  },
  fixed(
    'permit_extension_requested',
    'Extension requests',
    ['in_app', 'email'],
    '{{count}} extension requests are waiting for a decision',
    ['permit.extension_approved', 'permit.extension_rejected', 'permit.extension_requested', 'permit.extension_lapsed', 'permit.closed'],
  ),
  ...inTheField(
    fixed(
      'permit_expired_unclosed',
      'Expired permits that aren’t closed out',
      ['in_app', 'email'],
      '{{count}} permits have expired and aren’t closed out',
      ['permit.closed', 'permit.extension_approved', 'permit_set.imported'],
    ),
    fixed('permit_expiring_soon', 'Permits that end soon', ['in_app', 'push'], '{{count}} permits end soon', [
      'permit.expired',
      'permit.closed',
      'permit.extension_approved',
    ]),
  ),
  fixed('permit_activation_gap', 'Work without a live permit', ['in_app'], '{{count}} jobs on the map have no live permit', [
    'map_entity.removed',
  ]),
  own('permit_corrections_requested', 'Your permit needs corrections', '{{count}} permits need corrections', {
    urgency: 'attention',
    moot_after: ['permit.submitted', 'permit.withdrawn'],
  }),
  own('permit_rejected', 'Your permit was rejected', '{{count}} permits were rejected', { urgency: 'attention' }),
  own('permit_approved', 'Your permit was approved', '{{count}} permits were approved'),
  own('permit_live', 'Your permit is signed', '{{count}} permits are signed'),
  own('permit_extension_decided', 'Decisions on extension requests', '{{count}} decisions on extension requests', { urgency: 'attention' }),
  ...inTheField(
    own('permit_handed_back', 'Permits that were handed back', '{{count}} permits were handed back', { moot_after: ['permit.closed'] }),
    own('permit_stopped', 'Your permit is stopped', '{{count}} permits are stopped', {
      urgency: 'critical',
      channels: ['in_app', 'push'],
      moot_after: ['permit.revalidated', 'permit.handed_back', 'permit.expired', 'permit.closed'],
      ttl_seconds: 4 * 3600,
    }),
  ),
  own('permit_revalidated', 'Your permit was revalidated', '{{count}} permits were revalidated', { urgency: 'attention' }),
  own('permit_red_conflict', 'New red conflicts of approved and live permits', '{{count}} permits have new red conflicts', {
    urgency: 'attention',
    moot_after: ['permit.closed', 'permit.corrections_requested', 'permit.withdrawn'],
  }),
  own('permit_links_changed', 'Work that your permit covers', '{{count}} changes to the work that your permits cover'),
  own('permit_awaiting_approval_single', 'Single-stage permits waiting for approval', '{{count}} permits are waiting for approval', {
    moot_after: ['permit.approved', ...LEFT],
  }),
]

const is = (name: string, value: unknown) => ({ field: name, op: 'eq', value })
const named = (...names: string[]): Term[] => names.map(name => ({ named: name }))

type Given = Omit<ShippedRule, 'kind' | 'key'>
const locked = (kind: string, given: Given, key = kind): ShippedRule => ({ ...given, key, kind, locked: true, include_actor: true })
const unlocked = (
  kind: string,
  event_kind: string,
  audience: readonly Term[],
  title: string,
  body = '',
  more: Partial<Given> = {},
): ShippedRule => ({
  key: `${kind}:${event_kind}`,
  kind,
  event_kind,
  audience,
  channels: ['in_app'],
  title,
  body,
  may_reach_nobody: true,
  ...more,
})

/** Work on the map without a live permit, when it is near and when it has begun: two rules, because they read differently. */
const gap = (state: 'approaching' | 'open', body: string): ShippedRule =>
  locked(
    'permit_activation_gap',
    {
      ...(state === 'open' ? { name: 'Work without a live permit that has begun' } : {}),
      event_kind: 'permit.activation_gap',
      when: is('state', state),
      audience: [{ role: 'coordinator' }, { role: 'hse' }, { contractor: 'entity' }],
      channels: ['in_app'],
      title: '{{entity_label}}: no live permit',
      body,
      may_reach_nobody: true,
    },
    state === 'open' ? 'permit_activation_gap:open' : 'permit_activation_gap',
  )

/** Every standard rule about permits. */
export const permitRules: readonly ShippedRule[] = [
  locked('permit_awaiting_endorsement', {
    event_kind: 'permit.submitted',
    when: is('next_gate', 'endorse'),
    audience: [{ band: 'stage1' }],
    channels: ['in_app'],
    title: 'Permit {{permit_number}} is waiting for endorsement',
    body: '{{title}}',
  }),
  locked('permit_awaiting_approval', {
    event_kind: 'permit.endorsed',
    when: { not: is('next_gate', 'issue') },
    audience: [{ gate: 'next' }, ...named('nominee', 'deputy_nominee')],
    channels: ['in_app'],
    title: 'Permit {{permit_number}} is waiting for approval',
    body: '{{title}}',
  }),
  // If the graph has no approval step, the endorsed permit waits for its issuer.
  locked(
    'permit_awaiting_approval',
    {
      name: 'Permits waiting to be issued',
      event_kind: 'permit.endorsed',
      when: is('next_gate', 'issue'),
      audience: [{ gate: 'next' }, ...named('nominee', 'deputy_nominee')],
      channels: ['in_app'],
      title: 'Permit {{permit_number}} is waiting to be issued',
      body: '{{title}}',
    },
    'permit_awaiting_approval:issue',
  ),
  locked('permit_awaiting_countersign', {
    event_kind: 'permit.issue_signed',
    when: is('awaiting_countersign', true),
    audience: named('receiver'),
    channels: ['in_app', 'push'],
    title: 'Permit {{permit_number}} is waiting for your countersignature',
    body: '{{title}}',
  }),
  locked('permit_extension_requested', {
    event_kind: 'permit.extension_requested',
    audience: [{ band: 'stage2' }],
    channels: ['in_app', 'email'],
    title: 'An extension of {{permit_number}} to {{requested_end_at}} was requested',
    body: '{{title}}. Requested by {{requested_by_id}}. {{reason}}',
  }),
  locked('permit_expired_unclosed', {
    event_kind: 'permit.expired',
    when: is('backdated', false),
    audience: [{ role: 'hse' }, { role: 'admin' }],
    channels: ['in_app', 'email'],
    title: 'Permit {{permit_number}} has expired and isn’t closed out',
    body: '{{title}}. The permit window ended on {{end_at}}.',
  }),
  locked('permit_expiring_soon', {
    event_kind: 'permit.expiring_soon',
    audience: [...named('receiver', 'requestor', 'issuer'), { otherwise: [{ band: 'stage1' }] }],
    channels: ['in_app', 'push'],
    title: 'Permit {{permit_number}} ends in {{minutes_left}}',
    body: '{{title}}. The permit window ends on {{end_at}}.',
  }),
  gap('approaching', 'The work starts on {{entity_start_at}}. No live permit is linked to it.'),
  gap('open', 'The work began on {{entity_start_at}}. No live permit is linked to it.'),
  unlocked(
    'permit_corrections_requested',
    'permit.corrections_requested',
    named('requestor'),
    'Permit {{permit_number}} needs corrections',
    '{{note}}',
  ),
  unlocked('permit_rejected', 'permit.rejected', named('requestor'), 'Permit {{permit_number}} was rejected', '{{reason}}'),
  unlocked('permit_approved', 'permit.approved', named('requestor'), 'Permit {{permit_number}} was approved', '{{title}}'),
  // The last signature comes before the start as often as after it, so the message contains the window and doesn't call the permit live.
  unlocked(
    'permit_live',
    'permit.issued',
    named('requestor'),
    'Permit {{permit_number}} is signed',
    '{{title}}. Work is allowed from {{start_at}} until {{end_at}}.',
  ),
  unlocked(
    'permit_extension_decided',
    'permit.extension_approved',
    named('asker', 'receiver'),
    'Permit {{permit_number}} was extended to {{new_end_at}}',
    '{{title}}',
  ),
  unlocked(
    'permit_extension_decided',
    'permit.extension_rejected',
    named('asker', 'receiver'),
    'The extension request for {{permit_number}} was rejected',
    '{{reason}}',
  ),
  unlocked(
    'permit_extension_decided',
    'permit.extension_lapsed',
    named('asker'),
    'The extension request for {{permit_number}} lapsed',
    '{{lapse_reason}}',
  ),
  unlocked(
    'permit_handed_back',
    'permit.handed_back',
    [...named('issuer'), { band: 'stage1' }],
    'Permit {{permit_number}} was handed back',
    '{{title}}. {{note}}',
  ),
  unlocked(
    'permit_stopped',
    'permit.stopped',
    [...named('receiver', 'requestor', 'issuer'), { contractor: 'own' }],
    'Stop work under permit {{permit_number}}',
    '{{title}}. {{reason}}. The work can go on after the permit has been revalidated.',
    { channels: ['in_app', 'push'] },
  ),
  unlocked(
    'permit_revalidated',
    'permit.revalidated',
    named('receiver', 'requestor', 'issuer'),
    'Permit {{permit_number}} was revalidated',
    '{{title}}. The work can go on.',
  ),
  // Nobody reviews the permit again, so people who can act on it are notified of what came up since.
  unlocked(
    'permit_red_conflict',
    'permit.conflicts_changed',
    [{ band: 'stage1' }],
    'Permit {{permit_number}} has a new red conflict',
    '{{title}}. Open it to see what it conflicts with.',
    {
      when: {
        all: [{ field: 'status', op: 'in', value: ['approved', 'issued'] }, is('red_rose', true)],
      },
    },
  ),
  unlocked('permit_links_changed', 'permit.linked', named('receiver'), 'Permit {{permit_number}} covers more work', '{{title}}', {
    when: is('after_issue', true),
  }),
  unlocked('permit_links_changed', 'permit.unlinked', named('receiver'), 'Permit {{permit_number}} covers less work', '{{title}}', {
    when: is('after_issue', true),
  }),
  unlocked(
    'permit_awaiting_approval_single',
    'permit.submitted',
    [{ gate: 'next' }],
    'Permit {{permit_number}} is waiting for approval',
    '{{title}}',
    { when: is('next_gate', 'approve'), enabled: false },
  ),
]
