// The demo site as data: its address, contractors and people. Everything is invented; the addresses end in .example, to which no mail is delivered.

import type { Role } from '../base/actor.ts'
import type { Id } from '../base/ids.ts'

/** The site's code while it is being made, so that an interrupted attempt can be recognised. */
export const MAKING_CODE = 'DEMO-0'

export const ZONE = 'Europe/London'

export const SITE = {
  name: 'Quayside Yard',
  code: MAKING_CODE,
  timezone: ZONE,
  locale: 'en-GB',
  currency: 'GBP',
  address_lines: ['Quayside Yard', 'Greenland Wharf Road'],
  locality: 'London',
  postal_code: 'SE16 7XX',
  country_code: 'GB',
  terrain: 'urban',
  emergency_phone: '+44 20 7946 0999',
  public_listing: true,
}

/** The night shift, in addition to the day shift that every site has. */
export const NIGHT = { name: 'Night', start_time: '19:00', end_time: '05:00' }

export type ContractorKey = 'ferris' | 'halden' | 'northgate' | 'castle' | 'brightwell' | 'meridian'

export const CONTRACTORS: readonly {
  key: ContractorKey
  name: string
  short_name: string
  colour: string
  aliases: string[]
  trades: string[]
}[] = [
  {
    key: 'ferris',
    name: 'Ferris & Cole Construction Ltd',
    short_name: 'F&C',
    colour: '#1f4e79',
    aliases: ['FERRIS COLE'],
    trades: ['principal contractor', 'concrete', 'fit-out'],
  },
  {
    key: 'halden',
    name: 'Halden Groundworks Ltd',
    short_name: 'HG',
    colour: '#8a5a00',
    aliases: ['HALDEN'],
    trades: ['groundworks', 'drainage', 'piling'],
  },
  {
    key: 'northgate',
    name: 'Northgate Steel Erectors Ltd',
    short_name: 'NSE',
    colour: '#b3261e',
    aliases: ['NORTHGATE STEEL'],
    trades: ['structural steel', 'lifting', 'inspection'],
  },
  {
    key: 'castle',
    name: 'Castle Access Scaffolding Ltd',
    short_name: 'CAS',
    colour: '#6a4c93',
    aliases: ['CASTLE SCAFF'],
    trades: ['scaffolding', 'temporary works'],
  },
  {
    key: 'brightwell',
    name: 'Brightwell Mechanical & Electrical Ltd',
    short_name: 'BME',
    colour: '#00796b',
    aliases: ['BRIGHTWELL M&E'],
    trades: ['electrical', 'mechanical', 'commissioning'],
  },
  {
    key: 'meridian',
    name: 'Meridian Roofing & Façades Ltd',
    short_name: 'MRF',
    colour: '#c2185b',
    aliases: ['MERIDIAN FACADES'],
    trades: ['roofing', 'façade', 'glazing'],
  },
]

/** Which contractor engaged which: the facade contractor has its scaffold built by another one. */
export const OVERSIGHT: readonly { overseer: ContractorKey; subordinate: ContractorKey }[] = [
  { overseer: 'meridian', subordinate: 'castle' },
]

export type Person = {
  key: string
  name: string
  role: Role
  contractor: ContractorKey | null
  /** Shown next to the role in the list of sign-ins. */
  does: string
  /** The permit types for which the person is an appointed issuer; null: all types. */
  issues?: readonly string[] | null
  /** Has a pending membership request. */
  waits?: true
}

/** The superadmin, who is a member of no site except the one that they create. */
export const OWNER = { key: 'olive', name: 'Olive Marsh', does: 'superadmin' }

export const PEOPLE: readonly Person[] = [
  { key: 'ada', name: 'Ada Whitlock', role: 'admin', contractor: null, does: 'administrator' },
  { key: 'max', name: 'Max Odell', role: 'site_manager', contractor: null, does: 'site manager' },
  { key: 'cora', name: 'Cora Nash', role: 'coordinator', contractor: null, does: 'coordinator: endorses' },
  { key: 'hal', name: 'Hal Brennan', role: 'hse', contractor: null, does: 'health and safety: approves' },
  { key: 'ivy', name: 'Ivy Doran', role: 'member', contractor: null, does: 'issuer for all types', issues: null },
  { key: 'idris', name: 'Idris Kemp', role: 'member', contractor: null, does: 'issuer for GEN, HW, WAH', issues: ['GEN', 'HW', 'WAH'] },
  { key: 'vic', name: 'Vic Larsen', role: 'viewer', contractor: null, does: 'viewer' },
  { key: 'clem', name: 'Clem Ashdown', role: 'client', contractor: null, does: 'client' },
  { key: 'connie', name: 'Connie Reeve', role: 'commercial', contractor: null, does: 'commercial' },
  { key: 'chris', name: 'Chris Amadi', role: 'contractor_hse', contractor: 'northgate', does: 'safety adviser of a contractor' },
  { key: 'fay', name: 'Fay Sutton', role: 'member', contractor: 'ferris', does: 'supervisor: requests' },
  { key: 'finn', name: 'Finn Okafor', role: 'member', contractor: 'ferris', does: 'foreman: receives' },
  { key: 'hugo', name: 'Hugo Pike', role: 'member', contractor: 'halden', does: 'supervisor: requests' },
  { key: 'hetty', name: 'Hetty Rowe', role: 'member', contractor: 'halden', does: 'foreman: receives' },
  { key: 'nia', name: 'Nia Probert', role: 'member', contractor: 'northgate', does: 'supervisor: requests' },
  { key: 'ned', name: 'Ned Sorensen', role: 'member', contractor: 'northgate', does: 'foreman: receives' },
  { key: 'cal', name: 'Cal Dwyer', role: 'member', contractor: 'castle', does: 'supervisor: requests' },
  { key: 'cissy', name: 'Cissy Boyle', role: 'member', contractor: 'castle', does: 'foreman: receives' },
  { key: 'bea', name: 'Bea Lindqvist', role: 'member', contractor: 'brightwell', does: 'supervisor: requests' },
  { key: 'bruno', name: 'Bruno Tate', role: 'member', contractor: 'brightwell', does: 'foreman: receives' },
  { key: 'mia', name: 'Mia Castell', role: 'member', contractor: 'meridian', does: 'supervisor: requests' },
  { key: 'milo', name: 'Milo Grant', role: 'member', contractor: 'meridian', does: 'foreman: receives' },
  { key: 'sid', name: 'Sid Farrow', role: 'member', contractor: 'castle', does: 'waiting for approval', waits: true },
]

/** The requestor and the receiver of each contractor. */
export const CREWS: Record<ContractorKey, { requestor: string; receiver: string }> = {
  ferris: { requestor: 'fay', receiver: 'finn' },
  halden: { requestor: 'hugo', receiver: 'hetty' },
  northgate: { requestor: 'nia', receiver: 'ned' },
  castle: { requestor: 'cal', receiver: 'cissy' },
  brightwell: { requestor: 'bea', receiver: 'bruno' },
  meridian: { requestor: 'mia', receiver: 'milo' },
}

export const emailOf = (key: string): string => `${key}@quayside.example`

/** Permit types that this site has in addition to the standard ones. */
export const OWN_TYPES = [
  {
    code: 'TW',
    name: 'Temporary works: load or strike',
    single_stage: false,
    is_extendable: true,
    default_duration_hours: 72,
    pre_checks: [
      { label: 'Design check certificate in date', required: true },
      { label: 'Inspected by the temporary works supervisor', required: true },
      { label: 'Concrete strength confirmed by cube or maturity record', required: true },
    ],
    expected_attachments: [{ label: 'Design check certificate' }, { label: 'Inspection record' }],
  },
  {
    code: 'OOH',
    name: 'Out-of-hours working',
    single_stage: true,
    is_extendable: true,
    default_duration_hours: 10,
    pre_checks: [
      { label: 'Neighbours and security informed', required: true },
      { label: 'First aider and supervisor named for the shift', required: true },
      { label: 'Task lighting tested', required: true },
    ],
    expected_attachments: [{ label: 'Shift roster' }],
  },
]

/** The policy about permits; `gate`: whether an overdue close-out stops new permits of its contractor. */
export const policy = (user: (key: string) => Id, gate: boolean) => ({
  coverage_policy_enabled: true,
  close_out_gate_enabled: gate,
  nominee_user_id: user('hal'),
  deputy_nominee_user_id: user('max'),
  expiring_warning_lead_hours: 2,
  activation_gap_lead_hours: 24,
})
