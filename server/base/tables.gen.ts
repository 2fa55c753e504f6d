// Generated from the migrated database by `npm run gen`. Do not edit.
import type { ColumnType, Generated } from 'kysely'
import type { JsonIn } from './json-columns.ts'

/** JSON: read as a value, written as text by `jsonb()`. */
export type Json<C extends string> = ColumnType<JsonIn<C>, string, string>
/** JSON with a default. */
export type JsonDefault<C extends string> = ColumnType<JsonIn<C>, string | undefined, string>
/** Nullable JSON. */
export type JsonOrNull<C extends string> = ColumnType<JsonIn<C>, string | null | undefined, string | null>
/** Written by the record trigger alone. */
type Stamped<T> = ColumnType<T, never, never>

export interface AccountTable {
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  email: string
  email_key: string
  name: string
  locale: string | null
  password_hash: string | null
  password_changed_at: string | null
  must_change_password: Generated<boolean>
  email_confirmed_at: string | null
  disabled_at: string | null
  factor_secret: string | null
  factor_since: string | null
  recovery_hashes: string[] | null
}

export interface AccountCodeStepTable {
  account_id: string
  step: number
}

export interface AccountTokenTable {
  token_hash: string
  account_id: string
  purpose: string
  made_at: string
  expires_at: string
}

export interface ActiveAreaTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  area_kind: string
  exclusive: boolean
  base_m: number | null
  top_m: number | null
  geometry: Json<'active_area.geometry'>
  area_m2: number
  version_from: string | null
  version_number: number
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string | null
  place: Json<'active_area.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
  schedule_group_id: string | null
  occurrence_date: string | null
  edited: Generated<boolean>
  copied_from_id: string | null
  fill_group_id: string | null
}

export interface ActiveAreaScheduleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  name: string
  contractor_id: string | null
  template: Json<'active_area_schedule.template'>
  pattern: Json<'active_area_schedule.pattern'>
  removed_dates: Json<'active_area_schedule.removed_dates'>
}

export interface ActiveAreaVersionTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  area_id: string
  number: number
  valid_from: string
  valid_to: string | null
  content: Json<'active_area_version.content'>
}

export interface AlertTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  title: string
  message: string | null
  severity: 'info' | 'warning' | 'danger'
  category: string
  effect: 'none' | 'caution' | 'stops'
  activities: string[]
  state: 'scheduled' | 'active' | 'overdue' | 'lapsed' | 'resolved'
  start_at: string
  end_at: string | null
  contractor_ids: string[]
  source: Json<'alert.source'>
  place: JsonOrNull<'alert.place'>
  radius_m: number | null
  levels: number[]
  area: JsonOrNull<'alert.area'>
  building_id: string | null
  bounds: string | null
  resolved_at: string | null
  resolved_by: string | null
  resolve_note: string | null
  periods: Json<'alert.periods'>
  danger: number
  span_from: string
  span_to: string | null
}

export interface AppUserTable {
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  issuer: string
  subject: string
  email: string | null
  email_verified: Generated<boolean>
  name: string
  locale: string | null
  timezone: string | null
  is_superadmin: Generated<boolean>
  superadmin_granted: Generated<boolean>
  claims_at: string | null
  disabled_at: string | null
  erased_at: string | null
}

export interface AppUserSeenTable {
  user_id: string
  seen_at: string
}

export interface AreaFillTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  name: string
  contractor_id: string | null
  start_at: string
  end_at: string
  container: Json<'area_fill.container'>
  building_id: string | null
  level_index: number | null
  template: Json<'area_fill.template'>
  subtract: Json<'area_fill.subtract'>
  clearance_m: number
  bay: JsonOrNull<'area_fill.bay'>
  min_part_m2: number
  min_width_m: number
  generated_at: string
  bounds: string
}

export interface AreaStopTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  alert_id: string
  reason: string
}

export interface AreaStopPermitTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  stop_id: string
  permit_id: string
  cause: 'stop' | 'went_live'
  revalidated_at: string | null
  signature_id: string | null
}

export interface AuditDraftTable {
  site_id: string
  txid: Generated<string>
  record_id: string
  version: number
  op: string
  table_name: string
  before: unknown | null
  after: unknown | null
}

export interface AuditEntryTable {
  site_id: string
  seq: number
  id: string
  at: string
  work_date: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  acting_for: string | null
  action: string
  cause: string
  entity_type: string
  entity_id: string
  entity_label: string
  parent_type: string | null
  parent_id: string | null
  changes: JsonOrNull<'audit_entry.changes'>
  salt: string | null
  reason: string | null
  request_id: string
  batch_id: string
  reverts_entry_id: string | null
  changes_digest: string
  prev_hash: string
  hash: string
  v: number
  quiet: boolean
  words_salt: string | null
  words_digest: string | null
  state_digest: string | null
  events: string | null
}

export interface AuditOpenTable {
  site_id: string
  txid: Generated<string>
}

export interface BlockerTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  number: string
  title: string
  description: string
  category: string
  source_kind: string
  source_id: string
  pointers: Json<'blocker.pointers'>
  responsible_kind: 'contractor' | 'nobody' | null
  responsible_contractor_id: string | null
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  started_at: string
  status: 'open' | 'resolved'
  cleared_at: string | null
  cleared_how: string | null
}

export interface BlockerEntryTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  blocker_id: string
  contractor_id: string
  tokens: Json<'blocker_entry.tokens'>
  effect: 'none' | 'slows' | 'stops'
  loss_share_percent: number
  from_at: string
  to_at: string | null
  restart_reason: string | null
  origin: 'declared' | 'claimed' | 'added'
}

export interface ChainCheckTable {
  site_id: string
  seq: number
  hash: string
  checked_at: string
  whole_at: string | null
  broken_seq: number | null
}

export interface ClashTable {
  site_id: string
  id: string
  episode_id: string
  rule_id: string
  rule_version: number
  origin_id: string
  severity: 'amber' | 'red'
  from_at: string
  to_at: string | null
  a_id: string
  b_id: string
  a: Json<'clash.a'>
  b: Json<'clash.b'>
  distance_m: number
  level_gap: number
  nearest: Json<'clash.nearest'>
  reasons: Json<'clash.reasons'>
  building_ids: string[]
  level_indexes: number[]
  zone_ids: string[]
  detected_at: string
}

export interface ClashAskedTable {
  site_id: string
  episode_id: string
  task_at: string | null
  task_raised: boolean
  overdue_at: string | null
  overdue_raised: boolean
}

export interface ClashConsequenceTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  clash_rule_id: string
  effect: 'none' | 'slows' | 'stops'
  affected: 'a' | 'b' | 'both' | 'later'
  task_lead_hours: number | null
  blocker_category: string
  loss_share_percent: number
  instruction: Generated<string>
}

export interface ClashEpisodeTable {
  site_id: string
  id: string
  version: Generated<number>
  updated_at: string
  origin_id: string
  lineage_a: string
  lineage_b: string
  contractor_a: string | null
  contractor_b: string | null
  status: 'open' | 'ended'
  severity: 'amber' | 'red'
  peak_severity: 'amber' | 'red'
  least_distance_m: number
  first_at: string
  last_at: string | null
  clash_count: number
  opened_at: string
  ended_at: string | null
  end_reason: string | null
  reopened_count: Generated<number>
  rule_id: string
  a: Json<'clash_episode.a'>
  b: Json<'clash_episode.b'>
  place: Json<'clash_episode.place'>
  next_at: string | null
  look_at: string | null
}

export interface ClashEpisodeEventTable {
  site_id: string
  episode_id: string
  number: number
  kind: string
  at: string
  severity: string
  distance_m: number
  reason: string | null
}

export interface ClashPermitLinkTable {
  site_id: string
  entity_id: string
  permit_id: string
}

export interface ClashRuleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  profile_id: string
  origin_id: string
  system_key: string | null
  system_revision: number | null
  system_content: JsonOrNull<'clash_rule.system_content'>
  name: string
  name_key: string
  description: Generated<string>
  enabled: boolean
  content: Json<'clash_rule.content'>
  number: Generated<number>
  deleted_at: string | null
}

export interface ClashRuleVersionTable {
  site_id: string
  rule_id: string
  number: number
  state: Json<'clash_rule_version.state'>
  valid_from: string
  valid_to: string | null
  changed_by: string | null
  change_note: string | null
  reverted_from: number | null
}

export interface ClashSiteTable {
  site_id: string
  horizon_to: string
  lon: number | null
  lat: number | null
  followed_to: string
}

export interface ClashStanceTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  episode_id: string
  kind: 'accepted' | 'not_a_clash' | 'resolving'
  reason: string
  controls: string
  owner_user_id: string | null
  owner_contractor_id: string | null
  due_at: string | null
  covers_until: string | null
  accepted_severity: 'amber' | 'red'
  accepted_distance_m: number
  contractor_a: string | null
  contractor_b: string | null
  set_at: string
  set_by: string | null
  lapsed_at: string | null
  lapse_reason: string | null
  replaced_at: string | null
  withdrawn_at: string | null
}

export interface ContractorTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  name_key: string
  short_name: string
  aliases: Generated<string[]>
  colour: string
  colour_source: Generated<'derived' | 'chosen'>
  trades: Generated<string[]>
  registration_number: string | null
  email: string | null
  phone: string | null
  address: string | null
  logo_sha256: string | null
  logo_type: string | null
  logo_version: Generated<number>
  status: Generated<'active' | 'left'>
  source: Generated<'manual' | 'import' | 'invite'>
}

export interface ContractorNameTable {
  site_id: string
  folded: string
  key: string
  contractor_id: string
}

export interface ContractorOversightTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  overseer_id: string
  subordinate_id: string
}

export interface DeliveryTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  number: string
  name: string
  status: string
  direction: string
  supplier_name: string | null
  haulier_name: string | null
  supplier_reference: string | null
  vehicle_kind: string | null
  vehicle_reg: string | null
  driver_name: string | null
  driver_phone: string | null
  vehicle_length_m: number | null
  gross_weight_kg: number | null
  abnormal_load: boolean
  dangerous_goods: string | null
  gate_poi_id: string | null
  bay_id: string | null
  unload_method: string | null
  unload_plant_id: string | null
  radius_m: number
  unbooked: boolean
  slot_start_at: string | null
  slot_end_at: string | null
  arrived_at: string | null
  left_at: string | null
  decided_by: string | null
  decision_note: string | null
  turned_away_reason: string | null
  turned_away_note: string | null
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string | null
  place: Json<'delivery.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
}

export interface DeliveryLateTable {
  site_id: string
  delivery_id: string
  slot_start_at: string
}

export interface DeviceKeyTable {
  user_id: string
  id: string
  encrypted: string
  made_at: string
}

export interface DiagLineTable {
  id: string
  at: string
  source: string
  level: string
  kind: string
  name: string
  message: string
  stack: string | null
  route: string | null
  value: number | null
  request_id: string | null
  user_id: string | null
  site_id: string | null
  app_version: string | null
  platform: string | null
  device_at: string | null
  network: string | null
}

export interface DxfImportTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  filename: string
  sha256: string
  size: number
  report: Json<'dxf_import.report'>
  expires_at: string
  floor_plan_id: string | null
}

export interface EmailReportTable {
  event_id: string
  email: string
  type: string
  class: string | null
  status: string | null
  at: string
  message_id: string | null
  diagnostic: string | null
}

export interface EmailSuppressionTable {
  email: string
  reason: string
  status: string | null
  diagnostic: string | null
  first_at: string
  last_at: string
  count: Generated<number>
  cleared_at: string | null
  cleared_by: string | null
}

export interface EventTable {
  site_id: string
  event_no: number
  id: string
  kind: string
  schema: Generated<number>
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  actor_role: string | null
  subject_kind: string
  subject_id: string
  subject_label: string
  contractor_ids: Generated<string[]>
  place: JsonOrNull<'event.place'>
  work_date: string
  payload: Json<'event.payload'>
  request_id: string
  salt: string | null
  digest: string | null
  hash: string | null
}

export interface EventCursorTable {
  site_id: string
  consumer: string
  event_no: Generated<number>
}

export interface EventReceiptTable {
  site_id: string
  consumer: string
  event_id: string
  handled_at: string
}

export interface EventWaitingTable {
  site_id: string
  consumer: string
  event_no: number
  subject_id: string
  attempts: Generated<number>
  next_at: string | null
  parked_at: string | null
  error: string | null
}

export interface EvidenceTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  owner_kind: string
  owner_id: string
  role: 'before' | 'after' | 'during' | 'context' | 'document'
  caption: string | null
  filename: string
  sha256: string
  media_type: string
  size: number
  width: number | null
  height: number | null
  taken_at: string | null
  taken_point: JsonOrNull<'evidence.taken_point'>
  pin: JsonOrNull<'evidence.pin'>
  source_kind: string | null
  source_record_id: string | null
  source_id: string | null
}

export interface FloorPlanTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  feature_id: string
  level_index: number
  name: string
  source_kind: 'image' | 'pdf' | 'dxf'
  drawing_number: string | null
  revision: string | null
  suitability: string | null
  start_at: string
  end_at: string | null
  status: 'processing' | 'needs_placement' | 'ready' | 'failed'
  status_reason: string | null
  visible: boolean
  opacity: number
  min_zoom: number
  capture_visible: boolean
  filename: string
  sha256: string
  size: number
  media_type: string
  page: number | null
  width_px: number | null
  height_px: number | null
  picture_sha256: string | null
  sheet: JsonOrNull<'floor_plan.sheet'>
  placement: JsonOrNull<'floor_plan.placement'>
  placed_times: Generated<number>
  content_version: Generated<number>
  served: JsonOrNull<'floor_plan.served'>
  vector: Json<'floor_plan.vector'>
  ended_id: string | null
  ended_end_at: string | null
  job_id: string | null
}

export interface GeodataFeatureTable {
  site_id: string
  layer_id: string
  number: number
  geometry: Json<'geodata_feature.geometry'>
  properties: Json<'geodata_feature.properties'>
  bounds: string
}

export interface GeodataLayerTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  name: string
  role: string
  source: string | null
  surveyed_on: string | null
  crs: string | null
  accuracy_m: number | null
  style: Json<'geodata_layer.style'>
  visible: boolean
  sort: number
  status: string
  feature_count: number
  bounds: JsonOrNull<'geodata_layer.bounds'>
  property_schema: Json<'geodata_layer.property_schema'>
  content_version: number
  content_digest: string | null
  utility: string | null
  quality_level: string | null
  reference_kind: string | null
  map: JsonOrNull<'geodata_layer.map'>
}

export interface GeometryCutTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  feature_id: string
  feature_kind: string
  source: string
  cutter_id: string | null
  cutter_kind: string | null
  buffer_m: number
  polygon: Json<'geometry_cut.polygon'>
  state: string
  result: string
  allow_split: boolean
  min_part_m2: number
  min_width_m: number
  area_before_m2: number
  area_after_m2: number
  at: string
  feature_version: number
}

export interface GeometryCutStepTable {
  site_id: string
  cut_id: string
  number: number
  step: string
  at: string
  written_at: string
  written_by: string | null
  polygon: JsonOrNull<'geometry_cut_step.polygon'>
  area_before_m2: number
  area_after_m2: number
  feature_version: number
}

export interface GeometryDefaultTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  worker_radius_m: number
  delivery_radius_m: number
  slew_clearance_m: number
  plant_margin_m: number
  per_category: Json<'geometry_default.per_category'>
  snap_m: number
  hole_buffer_m: number
  min_part_m2: number
  min_width_m: number
  fill_min_part_m2: number
  fill_min_width_m: number
  simplify_m: number
}

export interface IdempotencyKeyTable {
  site_id: string
  owner: string
  key: string
  fingerprint: string
  made_at: string
  status: number | null
  headers: JsonOrNull<'idempotency_key.headers'>
  payload: string | null
}

export interface InviteTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  kind: 'email' | 'link'
  role: 'viewer' | 'client' | 'commercial' | 'member' | 'contractor_hse' | 'coordinator' | 'hse' | 'site_manager' | 'admin'
  contractor_id: string | null
  contractor_choice: Generated<boolean>
  email: string | null
  email_key: string | null
  name: string | null
  message: string | null
  label: string | null
  expires_at: string
  max_uses: number
  uses: Generated<number>
  approval: 'none' | 'required'
  approval_forced_by: 'inviter' | 'choice' | 'uses' | null
  sends: Generated<number>
  last_sent_at: string | null
  resent_at: Generated<string[]>
  bounced_at: string | null
  revoked_at: string | null
}

export interface InviteTokenTable {
  token_hash: string
  site_id: string
  invite_id: string
}

export interface InviteUseTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  invite_id: string
  user_id: string
  membership_id: string | null
  accepted_at: string | null
}

export interface JobRunTable {
  site_id: string
  id: string
  kind: string
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  attempts: Generated<number>
  max_attempts: number
  progress: Generated<number>
  message: string | null
  queued_at: string
  run_after: string
  started_at: string | null
  finished_at: string | null
  input: JsonDefault<'job_run.input'>
  error_code: string | null
  error_detail: string | null
  requested_by: string | null
  request_id: string | null
  result: JsonOrNull<'job_run.result'>
  interruptions: Generated<number>
}

export interface LabelStyleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  number: number
  valid_from: string
  valid_to: string | null
  document: Json<'label_style.document'>
}

export interface LiveProcessTable {
  id: string
  at: string
  state: Json<'live_process.state'>
}

export interface MainContractorPeriodTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  contractor_id: string
  from_at: string
  to_at: string | null
}

export interface MembershipTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  user_id: string
  role: 'viewer' | 'client' | 'commercial' | 'member' | 'contractor_hse' | 'coordinator' | 'hse' | 'site_manager' | 'admin'
  contractor_id: string | null
  status: 'pending' | 'active' | 'ended'
  why_pending: string | null
  requested_contractor_name: string | null
  invite_id: string | null
  approved_by: string | null
  approved_at: string | null
  ended_at: string | null
  ended_by: string | null
}

export interface NotificationTable {
  site_id: string
  id: string
  user_id: string
  event_id: string | null
  event_no: number | null
  kind: string
  urgency: string
  title: string
  body: string
  subject_kind: string
  subject_id: string
  subject_label: string
  link: string | null
  facts: JsonDefault<'notification.facts'>
  rule_id: string | null
  rule_version: number | null
  because: JsonDefault<'notification.because'>
  in_app: boolean
  created_at: string
  updated_at: string
  read_at: string | null
  settled_at: string | null
  settled_event_id: string | null
}

export interface NotificationMessageTable {
  site_id: string
  id: string
  user_id: string
  channel: string
  kind: string
  urgency: string
  state: Generated<string>
  created_at: string
  due_at: string
  lease_until: string | null
  attempts: Generated<number>
  began: Generated<boolean>
  lost: Generated<number>
  ended_at: string | null
}

export interface NotificationPreferenceTable {
  site_id: string
  user_id: string
  kind: string
  channel: string
  enabled: boolean | null
  delivery: string | null
  quiet_hours: JsonOrNull<'notification_preference.quiet_hours'>
  digest_at: string | null
  digest_weekdays: number[] | null
  updated_at: string
  version: Generated<number>
}

export interface NotificationRuleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  name_key: string | null
  source: string
  event_kind: string
  when: Json<'notification_rule.when'>
  kind: string
  audience: Json<'notification_rule.audience'>
  channels: string[]
  title: string
  body: string
  urgency: string
  include_actor: boolean
  enabled: boolean
  based_on_id: string | null
  number: Generated<number>
  deleted_at: string | null
}

export interface NotificationRuleHourTable {
  site_id: string
  rule_id: string
  hour: string
  fired: Generated<number>
  reached: Generated<number>
  paused: Generated<boolean>
}

export interface NotificationRuleVersionTable {
  site_id: string
  rule_id: string
  number: number
  event_kind: string
  content: Json<'notification_rule_version.content'>
  valid_from: string
  valid_to: string | null
  from_event_no: number
  to_event_no: number | null
  changed_by: string | null
  changes: JsonDefault<'notification_rule_version.changes'>
}

export interface NotificationSendTable {
  site_id: string
  id: string
  notification_id: string
  user_id: string
  channel: string
  state: string
  detail: string | null
  at: string
  due_at: string | null
  message_id: string | null
}

export interface OidcItemTable {
  kind: string
  id_hash: string
  uid_hash: string | null
  grant_hash: string | null
  account_id: string | null
  payload: Json<'oidc_item.payload'>
  consumed_at: string | null
  expires_at: string
  used_at: string | null
  device: string | null
}

export interface PaperTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  subject_kind: string
  subject_id: string
  occasion: string
  as_at: string
  facts_hash: string
  made_at: string
  sha256: string
  size: number
  pages: number
}

export interface PaperOrderTable {
  site_id: string
  id: string
  subject_kind: string
  subject_id: string
  occasion: string
  as_at: string
  facts: Json<'paper_order.facts'>
  facts_hash: string
}

export interface PermitTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_number: string | null
  status: 'draft' | 'requested' | 'endorsed' | 'approved' | 'issued' | 'expired' | 'closed' | 'rejected' | 'withdrawn' | 'corrections_requested'
  source: 'requested' | 'imported'
  requestor_id: string | null
  receiver_id: string | null
  contractor_id: string | null
  categories: Generated<string[]>
  parent_id: string | null
  title: string | null
  description: string | null
  controls: string | null
  location: string | null
  zone_text: string | null
  level_text: string | null
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  place_geometry: JsonOrNull<'permit.place_geometry'>
  place_bounds: string | null
  start_at: string | null
  end_at: string | null
  hazards: Generated<string[]>
  ppe: Generated<string[]>
  limitations: string | null
  pre_checks: JsonDefault<'permit.pre_checks'>
  rams_document_ids: Generated<string[]>
  rams: JsonDefault<'permit.rams'>
  stage1_controls: JsonOrNull<'permit.stage1_controls'>
  stage2_controls: JsonOrNull<'permit.stage2_controls'>
  approval_note: string | null
  reissued_from_id: string | null
  workflow_definition_id: string
  workflow_version: number
  pinned_single_stage: boolean | null
  pinned_requires_parent: boolean | null
  submitted_at: string | null
  endorsed_at: string | null
  approved_at: string | null
  issuer_id: string | null
  issue_signed_at: string | null
  issued_at: string | null
  expired_at: string | null
  handed_back_at: string | null
  handed_back_complete: boolean | null
  fire_watch_until: string | null
  closed_at: string | null
  expiring_warned_at: string | null
  set_id: string | null
  touched_at: string | null
  issue_warnings: JsonDefault<'permit.issue_warnings'>
  last_decision: JsonOrNull<'permit.last_decision'>
}

export interface PermitAppointmentTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  user_id: string
  permit_type_id: string | null
  revoked_at: string | null
  revoked_by: string | null
}

export interface PermitAttachmentTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_id: string
  slot: string | null
  filename: string
  sha256: string
  media_type: string
  size: number
  width: number | null
  height: number | null
}

export interface PermitConfigTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  coverage_policy_enabled: Generated<boolean>
  close_out_gate_enabled: Generated<boolean>
  nominee_user_id: string | null
  deputy_nominee_user_id: string | null
  expiring_warning_lead_hours: Generated<number>
  activation_gap_lead_hours: Generated<number>
  regime: string | null
}

export interface PermitConflictsToldTable {
  site_id: string
  permit_id: string
  red: number
  amber: number
}

export interface PermitEntityTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_id: string
  entity_type: string
  entity_id: string
}

export interface PermitExtensionTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_id: string
  requested_by: string
  requested_at: string
  requested_end_at: string
  previous_end_at: string
  reason: string | null
  status: 'requested' | 'approved' | 'rejected' | 'superseded' | 'lapsed'
  decided_by: string | null
  decided_at: string | null
  decision_reason: string | null
  signature_id: string | null
}

export interface PermitGapTable {
  site_id: string
  entity_id: string
  state: 'approaching' | 'open'
  machine_id: string
  told_at: string
}

export interface PermitSetTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  filename: string
  sha256: string
  format_id: string
  rows_read: number
  rows_new: number
  rows_updated: number
  rows_unchanged: number
  rows_refused: number
  archived_at: string | null
}

export interface PermitSignatureTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_id: string
  number: number
  kind: string
  signer_id: string
  signer_name: string
  signer_role: string | null
  signed_at: string
  note: string | null
  statement: string
  presence: JsonOrNull<'permit_signature.presence'>
  content: Json<'permit_signature.content'>
  content_hash: string
  prev_hash: string
  hash: string
  voided_at: string | null
  void_reason: string | null
  on_behalf_of: JsonOrNull<'permit_signature.on_behalf_of'>
}

export interface PermitTypeTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  code: string
  name: string
  active: Generated<boolean>
  requires_parent: Generated<boolean>
  is_extendable: Generated<boolean>
  single_stage: Generated<boolean>
  requires_powra: Generated<boolean>
  pre_checks: JsonDefault<'permit_type.pre_checks'>
  expected_attachments: JsonDefault<'permit_type.expected_attachments'>
  default_duration_hours: number | null
  system_key: string | null
}

export interface PermitWordsTable {
  site_id: string
  permit_id: string
  words: string
  plain: Stamped<boolean>
}

export interface PermitWorkflowTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  permit_type_code: string | null
  name: string
  published: Generated<number>
  draft: Json<'permit_workflow.draft'>
  removed_at: string | null
}

export interface PermitWorkflowVersionTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  workflow_id: string
  number: number
  name: string
  graph: Json<'permit_workflow_version.graph'>
}

export interface PersonKeyTable {
  site_id: string
  record_id: string
  no: number
  kind: string
  key: JsonOrNull<'person_key.key'>
  wrapped_by: string
  created_at: string
  erased_at: string | null
}

export interface PlantTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  category: string
  make: string | null
  model: string | null
  fleet_number: string | null
  owner_name: string | null
  length_m: number | null
  width_m: number | null
  bearing_deg: number
  working_radius_m: number | null
  slew_from_deg: number | null
  slew_to_deg: number | null
  tail_swing_m: number | null
  exclusion_radius_m: number
  exclusion_given: boolean
  height_m: number | null
  capacity_kg: number | null
  operator_name: string | null
  lifting: boolean
  lifts_persons: boolean
  last_examined_on: string | null
  examination_due_on: string | null
  examination_given: boolean
  examination_ref: string | null
  examination_told: 'due' | 'expired' | null
  source_plant_id: string | null
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string | null
  place: Json<'plant.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
  schedule_group_id: string | null
  occurrence_date: string | null
  edited: Generated<boolean>
  copied_from_id: string | null
}

export interface PlantScheduleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  name: string
  contractor_id: string | null
  template: Json<'plant_schedule.template'>
  pattern: Json<'plant_schedule.pattern'>
  removed_dates: Json<'plant_schedule.removed_dates'>
}

export interface PlatformSecretTable {
  name: string
  value: Json<'platform_secret.value'>
  made_at: string
}

export interface PoiTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  poi_kind: string
  phone: string | null
  what3words: string | null
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string | null
  place: Json<'poi.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
}

export interface PushKeyTable {
  id: string
  public_key: string
  private_key: string
  made_at: string
}

export interface PushSendTable {
  endpoint_hash: string
  message_id: string
  first_at: string
  gone_at: string
  tries: number
  state: 'sent' | 'failed' | 'waiting'
  not_before: string | null
}

export interface PushSubscriptionTable {
  endpoint_hash: string
  id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  vapid_key_id: string
  device_label: string | null
  expires_at: string | null
  created_at: string
  last_success_at: string | null
  failures: Generated<number>
  session_family: string | null
}

export interface RateCountTable {
  bucket: string
  window_start: string
  calls: number
}

export interface RecordDirectoryTable {
  id: string
  site_id: string
  kind: string
}

export interface ReferenceFeatureTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  kind: string
  name: string
  last_number: number
  source_layer_id: string | null
  source_key: string | null
}

export interface ReferenceFeatureParentTable {
  site_id: string
  version_id: string
  area_version_id: string
  area_id: string
  share: number
  valid_from: string
  valid_to: string | null
}

export interface ReferenceFeatureVersionTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  feature_id: string
  number: number
  kind: string
  valid_from: string
  valid_to: string | null
  shown_from: string
  shown_to: string | null
  shown_number: number
  code: string | null
  code_key: string | null
  name: string
  aliases: Generated<string[]>
  zone_type: string | null
  outline: Json<'reference_feature_version.outline'>
  geometry: Json<'reference_feature_version.geometry'>
  bounds: string
  area_m2: number
  centre_lon: number
  centre_lat: number
  levels: JsonDefault<'reference_feature_version.levels'>
  building_id: string | null
  level_from: number | null
  level_to: number | null
  contractor_id: string | null
  cut_id: string | null
  digest: string
}

export interface RuleProfileTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  name_key: string
  description: Generated<string>
  is_active: Generated<boolean>
  based_on_id: string | null
  activated_at: string | null
  activated_by: string | null
  deleted_at: string | null
}

export interface RuleProfilePeriodTable {
  site_id: string
  profile_id: string
  from_at: string
  to_at: string | null
  activated_by: string | null
}

export interface ScheduleRunTable {
  kind: string
  last_due_at: string
  last_run_at: string | null
  last_state: string | null
}

export interface SchemaMigrationTable {
  name: string
  checksum: string
  applied_at: Generated<string>
}

export interface ShiftTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  contractor_id: string | null
  start_time: string
  end_time: string
  weekdays: number[] | null
  breaks: JsonDefault<'shift.breaks'>
  valid_from: string
  valid_to: string | null
  system_key: string | null
}

export interface SigningKeyTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  kid: string
  public_key: string
  sealed: string
  sealed_by: string
  signs_from: string
  signs_until: string
  revoked_at: string | null
  revoke_reason: string | null
}

export interface SiteTable {
  site_id: string
  id: Stamped<string | null>
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  code: string
  timezone: string
  address_lines: Generated<string[]>
  locality: string | null
  postal_code: string | null
  country_code: string | null
  location_lon: number | null
  location_lat: number | null
  boundary: JsonOrNull<'site.boundary'>
  boundary_bounds: string | null
  boundary_area_m2: number | null
  boundary_updated_at: string | null
  locale: Generated<string>
  currency: Generated<string>
  starts_on: string | null
  planned_finish_on: string | null
  work_weekdays: number[] | null
  holidays: JsonDefault<'site.holidays'>
  extra_work_dates: JsonDefault<'site.extra_work_dates'>
  terrain: Generated<string>
  weather_limits: JsonDefault<'site.weather_limits'>
  main_contractor_id: string | null
  oversight_transitive: Generated<boolean>
  observation_threshold: Generated<number | null>
  emergency_phone: string | null
  settings: JsonDefault<'site.settings'>
  public_listing: Generated<boolean>
  locked_at: string | null
  locked_by: string | null
  lock_reason: string | null
  deleted_at: string | null
  nuked_at: string | null
  needs_attention: JsonDefault<'site.needs_attention'>
  location_derived: Generated<boolean>
}

export interface SiteCounterTable {
  site_id: string
  name: string
  last: number
}

export interface SiteHeadTable {
  site_id: string
  seq: Generated<number>
  hash: string
  last_at: string | null
  event_no: Generated<number>
  revision: Generated<number>
  layers: JsonDefault<'site_head.layers'>
  event_hash: string | null
  facts_no: Generated<number>
}

export interface SiteMapTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  captured_on: string | null
  status: 'processing' | 'needs_calibration' | 'tiling' | 'ready' | 'failed'
  status_reason: string | null
  filename: string
  sha256: string
  size: number
  media_type: string
  page: number | null
  width_px: number
  height_px: number
  content_version: Generated<number>
  calibration_id: string | null
  served: JsonOrNull<'site_map.served'>
  job_id: string | null
}

export interface SiteMapActivationTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  site_map_id: string | null
  from_at: string
  to_at: string | null
}

export interface SiteMapCalibrationTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  site_map_id: string
  number: number
  model: 'similarity' | 'affine' | 'projective' | 'embedded'
  points: Json<'site_map_calibration.points'>
  matrix: Json<'site_map_calibration.matrix'>
  origin_lon: number
  origin_lat: number
  rmse_m: number
  max_residual_m: number
  redundancy: number
  suspect: number | null
  quality: 'good' | 'fair' | 'poor' | 'unchecked'
  ground_resolution_m: number
  rotation_deg: number
  scale_ratio: number
}

export interface SiteSeedTable {
  site_id: string
  area: string
  key: string
}

export interface SmartGroupTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  owner_id: string
  name: string
  description: string | null
  subject: string
  predicate: Json<'smart_group.predicate'>
  visibility: 'private' | 'shared'
  colour: string | null
  icon: string | null
  sort: Generated<number>
}

export interface StoredFileTable {
  site_id: string
  sha256: string
  size: number
  media_type: string
  width: number | null
  height: number | null
  facts: JsonDefault<'stored_file.facts'>
  kept_at: string
}

export interface TaskTable {
  site_id: string
  id: string
  kind: string
  subject_kind: string
  subject_id: string
  subject_label: string
  addressee_key: string
  bands: Generated<string[]>
  user_ids: Generated<string[]>
  contractor_id: string | null
  status: Generated<'open' | 'resolved'>
  urgency: Generated<string>
  link: string
  raised_at: string
  attention_at: string
  due_at: string | null
  overdue_told_at: string | null
  resolved_at: string | null
  resolved_by: string | null
  resolution: string | null
  note: string | null
}

export interface TaskAcknowledgementTable {
  site_id: string
  task_id: string
  user_id: string
  at: string
  taking: Generated<boolean>
}

export interface TextLabelTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  text: string
  rotation_deg: number
  size_px: number
  style_key: string
  anchor: string
  min_zoom: number
  max_zoom: number
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string | null
  place: Json<'text_label.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
}

export interface TokenPhotoTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  token_kind: 'worker' | 'plant' | 'delivery'
  token_id: string
  schedule_group_id: string | null
  work_date: string
  photo_kind: 'progress' | 'start' | 'finish' | 'condition' | 'delivery'
  caption: string | null
  in_diary: boolean
  contractor_id: string | null
  sha256: string
  taken_at: string | null
  distance_m: number | null
}

export interface WeatherCallTable {
  day: string
  calls: number
}

export interface WeatherCellTable {
  cell: string
  answer: JsonOrNull<'weather_cell.answer'>
  fetched_at: string | null
  read_at: string
  failures: Generated<number>
  retry_at: string | null
}

export interface WeatherHourTable {
  site_id: string
  at: string
  source: 'recorded' | 'reanalysis'
  issued_at: string
  fetched_at: string
  measures: Json<'weather_hour.measures'>
}

export interface WeatherKeptTable {
  site_id: string
  work_date: string
  issued_at: string
  hours: Json<'weather_kept.hours'>
}

export interface WeatherNoticeTable {
  site_id: string
  limit_key: string
  work_date: string
  kind: 'forecast' | 'passed'
  state: string
  starts_at: string
  ends_at: string
}

export interface WorkerTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  name: string
  trade: string
  headcount: number
  supervisor_name: string | null
  activity: string | null
  radius_m: number
  deleted_at: string | null
  contractor_id: string | null
  start_at: string
  end_at: string
  place: Json<'worker.place'>
  place_source: string
  building_id: string | null
  level_index: number | null
  zone_id: string | null
  lon: number
  lat: number
  bounds: string
  colour: string | null
  notes: string | null
  schedule_group_id: string | null
  occurrence_date: string | null
  edited: Generated<boolean>
  copied_from_id: string | null
}

export interface WorkerScheduleTable {
  site_id: string
  id: string
  version: Stamped<number>
  created_at: Stamped<string>
  created_by: Stamped<string | null>
  updated_at: Stamped<string>
  updated_by: Stamped<string | null>
  deleted_at: string | null
  name: string
  contractor_id: string | null
  template: Json<'worker_schedule.template'>
  pattern: Json<'worker_schedule.pattern'>
  removed_dates: Json<'worker_schedule.removed_dates'>
}

/** Every table of the service. */
export interface Tables {
  account: AccountTable
  account_code_step: AccountCodeStepTable
  account_token: AccountTokenTable
  active_area: ActiveAreaTable
  active_area_schedule: ActiveAreaScheduleTable
  active_area_version: ActiveAreaVersionTable
  alert: AlertTable
  app_user: AppUserTable
  app_user_seen: AppUserSeenTable
  area_fill: AreaFillTable
  area_stop: AreaStopTable
  area_stop_permit: AreaStopPermitTable
  audit_draft: AuditDraftTable
  audit_entry: AuditEntryTable
  audit_open: AuditOpenTable
  blocker: BlockerTable
  blocker_entry: BlockerEntryTable
  chain_check: ChainCheckTable
  clash: ClashTable
  clash_asked: ClashAskedTable
  clash_consequence: ClashConsequenceTable
  clash_episode: ClashEpisodeTable
  clash_episode_event: ClashEpisodeEventTable
  clash_permit_link: ClashPermitLinkTable
  clash_rule: ClashRuleTable
  clash_rule_version: ClashRuleVersionTable
  clash_site: ClashSiteTable
  clash_stance: ClashStanceTable
  contractor: ContractorTable
  contractor_name: ContractorNameTable
  contractor_oversight: ContractorOversightTable
  delivery: DeliveryTable
  delivery_late: DeliveryLateTable
  device_key: DeviceKeyTable
  diag_line: DiagLineTable
  dxf_import: DxfImportTable
  email_report: EmailReportTable
  email_suppression: EmailSuppressionTable
  event: EventTable
  event_cursor: EventCursorTable
  event_receipt: EventReceiptTable
  event_waiting: EventWaitingTable
  evidence: EvidenceTable
  floor_plan: FloorPlanTable
  geodata_feature: GeodataFeatureTable
  geodata_layer: GeodataLayerTable
  geometry_cut: GeometryCutTable
  geometry_cut_step: GeometryCutStepTable
  geometry_default: GeometryDefaultTable
  idempotency_key: IdempotencyKeyTable
  invite: InviteTable
  invite_token: InviteTokenTable
  invite_use: InviteUseTable
  job_run: JobRunTable
  label_style: LabelStyleTable
  live_process: LiveProcessTable
  main_contractor_period: MainContractorPeriodTable
  membership: MembershipTable
  notification: NotificationTable
  notification_message: NotificationMessageTable
  notification_preference: NotificationPreferenceTable
  notification_rule: NotificationRuleTable
  notification_rule_hour: NotificationRuleHourTable
  notification_rule_version: NotificationRuleVersionTable
  notification_send: NotificationSendTable
  oidc_item: OidcItemTable
  paper: PaperTable
  paper_order: PaperOrderTable
  permit: PermitTable
  permit_appointment: PermitAppointmentTable
  permit_attachment: PermitAttachmentTable
  permit_config: PermitConfigTable
  permit_conflicts_told: PermitConflictsToldTable
  permit_entity: PermitEntityTable
  permit_extension: PermitExtensionTable
  permit_gap: PermitGapTable
  permit_set: PermitSetTable
  permit_signature: PermitSignatureTable
  permit_type: PermitTypeTable
  permit_words: PermitWordsTable
  permit_workflow: PermitWorkflowTable
  permit_workflow_version: PermitWorkflowVersionTable
  person_key: PersonKeyTable
  plant: PlantTable
  plant_schedule: PlantScheduleTable
  platform_secret: PlatformSecretTable
  poi: PoiTable
  push_key: PushKeyTable
  push_send: PushSendTable
  push_subscription: PushSubscriptionTable
  rate_count: RateCountTable
  record_directory: RecordDirectoryTable
  reference_feature: ReferenceFeatureTable
  reference_feature_parent: ReferenceFeatureParentTable
  reference_feature_version: ReferenceFeatureVersionTable
  rule_profile: RuleProfileTable
  rule_profile_period: RuleProfilePeriodTable
  schedule_run: ScheduleRunTable
  schema_migration: SchemaMigrationTable
  shift: ShiftTable
  signing_key: SigningKeyTable
  site: SiteTable
  site_counter: SiteCounterTable
  site_head: SiteHeadTable
  site_map: SiteMapTable
  site_map_activation: SiteMapActivationTable
  site_map_calibration: SiteMapCalibrationTable
  site_seed: SiteSeedTable
  smart_group: SmartGroupTable
  stored_file: StoredFileTable
  task: TaskTable
  task_acknowledgement: TaskAcknowledgementTable
  text_label: TextLabelTable
  token_photo: TokenPhotoTable
  weather_call: WeatherCallTable
  weather_cell: WeatherCellTable
  weather_hour: WeatherHourTable
  weather_kept: WeatherKeptTable
  weather_notice: WeatherNoticeTable
  worker: WorkerTable
  worker_schedule: WorkerScheduleTable
}

/** The columns of each table that contain JSON. */
export const JSON_COLUMNS: Record<string, readonly string[]> = {
  active_area: ['geometry', 'place'],
  active_area_schedule: ['template', 'pattern', 'removed_dates'],
  active_area_version: ['content'],
  alert: ['source', 'place', 'area', 'periods'],
  area_fill: ['container', 'template', 'subtract', 'bay'],
  audit_entry: ['changes'],
  blocker: ['pointers'],
  blocker_entry: ['tokens'],
  clash: ['a', 'b', 'nearest', 'reasons'],
  clash_episode: ['a', 'b', 'place'],
  clash_rule: ['system_content', 'content'],
  clash_rule_version: ['state'],
  delivery: ['place'],
  dxf_import: ['report'],
  event: ['place', 'payload'],
  evidence: ['taken_point', 'pin'],
  floor_plan: ['sheet', 'placement', 'served', 'vector'],
  geodata_feature: ['geometry', 'properties'],
  geodata_layer: ['style', 'bounds', 'property_schema', 'map'],
  geometry_cut: ['polygon'],
  geometry_cut_step: ['polygon'],
  geometry_default: ['per_category'],
  idempotency_key: ['headers'],
  job_run: ['input', 'result'],
  label_style: ['document'],
  live_process: ['state'],
  notification: ['facts', 'because'],
  notification_preference: ['quiet_hours'],
  notification_rule: ['when', 'audience'],
  notification_rule_version: ['content', 'changes'],
  oidc_item: ['payload'],
  paper_order: ['facts'],
  permit: ['place_geometry', 'pre_checks', 'rams', 'stage1_controls', 'stage2_controls', 'issue_warnings', 'last_decision'],
  permit_signature: ['presence', 'content', 'on_behalf_of'],
  permit_type: ['pre_checks', 'expected_attachments'],
  permit_workflow: ['draft'],
  permit_workflow_version: ['graph'],
  person_key: ['key'],
  plant: ['place'],
  plant_schedule: ['template', 'pattern', 'removed_dates'],
  platform_secret: ['value'],
  poi: ['place'],
  reference_feature_version: ['outline', 'geometry', 'levels'],
  shift: ['breaks'],
  site: ['boundary', 'holidays', 'extra_work_dates', 'weather_limits', 'settings', 'needs_attention'],
  site_head: ['layers'],
  site_map: ['served'],
  site_map_calibration: ['points', 'matrix'],
  smart_group: ['predicate'],
  stored_file: ['facts'],
  text_label: ['place'],
  weather_cell: ['answer'],
  weather_hour: ['measures'],
  weather_kept: ['hours'],
  worker: ['place'],
  worker_schedule: ['template', 'pattern', 'removed_dates'],
}
