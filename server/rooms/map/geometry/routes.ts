import { invalid, refuse } from '../../../base/errors.ts'
import { created, get, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { REACH_M } from '../../../kernel/geometry/domain/outside.ts'
import { LIMITS } from '../../../kernel/geometry/domain/reading.ts'
import { cutHole, reapplyCut, undoCut } from './actions/cuts.ts'
import { changeDefaults, showDefaults } from './actions/defaults.ts'
import { cuttable, showPending, showSteps } from './actions/lists.ts'
import { checkOverlaps } from './actions/overlaps.ts'
import { inDegrees, pairRules } from './domain.ts'
import { geometryCut } from './door.ts'
import {
  ChangeDefaults,
  CheckOverlaps,
  ConvertedPoints,
  ConvertPoints,
  CutDone,
  CutFreeform,
  CutHole,
  CutStep,
  FoundOverlap,
  GeometryDefaults,
  GeometryRules,
  MaybeSite,
  OfSite,
  PendingCut,
  Reapply,
} from './schema.ts'

const cutAt = (cut: unknown, feature_id: string) => created(cut, `/geometry/history/${feature_id}`)
const { span_m: _span, ...limits } = LIMITS
const RULES = { limits: { ...limits, outside_m: REACH_M, decimals: 8 }, pairs: pairRules() }
const REFUSALS = ['conflict', 'forbidden', 'invalid_transition'] as const

export const routes = [
  get('/geometry/defaults', {
    name: 'geometry_default.show',
    summary: 'Show the geometry defaults',
    says: 'Returns the sizes to start with when something is drawn on a site, or the standard ones before the first save.',
    access: { needs: 'map_view' },
    query: OfSite,
    reply: ref(GeometryDefaults),
    handle: ({ ctx, site_id }) => showDefaults(ctx, site_id),
  }),
  patch('/geometry/defaults', {
    name: 'geometry_default.change',
    summary: 'Change the geometry defaults',
    says: 'Changes the sizes that are sent. Sizes are copied when something is drawn, so what is already on the map stays as it is.',
    access: { needs: 'geometry_defaults_manage' },
    query: MaybeSite,
    body: ChangeDefaults,
    of: GeometryDefaults,
    reply: ref(GeometryDefaults),
    refuses: ['version_conflict'],
    handle: ({ ctx, site_id, body: { site_id: _site, ...sizes }, wire }) => changeDefaults(ctx, site_id, sizes, wire.if_match),
  }),
  get('/geometry/rules', {
    name: 'geometry_default.show_rules',
    summary: 'Show the rules for shapes and overlaps',
    says: 'Returns the limits of positions and polygons, and for each pair of kinds whether they can overlap.',
    access: { needs: 'map_view' },
    query: OfSite,
    reply: ref(GeometryRules),
    handle: () => RULES,
  }),
  post('/geometry/check-overlaps', {
    name: 'geometry_cut.check_overlaps',
    summary: 'Check overlaps',
    says: 'Compares a shape or a feature with everything on its ground at a time or during one, the largest overlap first. It changes nothing.',
    access: { needs: 'map_view' },
    body: CheckOverlaps,
    reply: Type.Array(ref(FoundOverlap)),
    reads: true,
    handle: ({ ctx, site_id, body }) => checkOverlaps(ctx, site_id, body),
  }),
  post('/geometry/convert', {
    name: 'geometry_default.convert',
    summary: 'Convert positions in a grid',
    says: 'Returns positions in a grid, such as the control points of a survey, in degrees. It changes nothing.',
    access: { needs: 'map_view' },
    body: ConvertPoints,
    reply: ref(ConvertedPoints),
    reads: true,
    handle: ({ body: { epsg, points } }) => {
      const made = inDegrees(epsg, points)
      return 'faults' in made ? refuse(invalid(made.faults)) : made
    },
  }),
  post('/geometry/cut-hole', {
    name: 'geometry_cut.create',
    summary: 'Cut a feature out of another',
    says: 'Cuts the ground of a feature, active area or plant out of a feature on the same level. The feature gets a new version; its outline stays, so the cut can be undone at any time. Requires the permission to change the feature.',
    access: { needs: 'map_entity_edit' },
    body: CutHole,
    reply: ref(CutDone),
    status: 201,
    refuses: [...REFUSALS, 'version_conflict'],
    handle: async ({ ctx, site_id, body, wire }) => cutAt(await cutHole(ctx, site_id, body, wire.if_match), body.target_id),
  }),
  post('/geometry/cut-hole-freeform', {
    name: 'geometry_cut.create_freeform',
    summary: 'Cut a drawn shape out of a feature',
    says: 'Cuts a drawn shape out of a feature. The feature gets a new version; its outline stays, so the cut can be undone at any time. Requires the permission to change the feature.',
    access: { needs: 'map_entity_edit' },
    body: CutFreeform,
    reply: ref(CutDone),
    status: 201,
    refuses: [...REFUSALS, 'version_conflict'],
    handle: async ({ ctx, site_id, body, wire }) => cutAt(await cutHole(ctx, site_id, body, wire.if_match), body.target_id),
  }),
  post('/geometry/undo-cut/:history_id', {
    name: 'geometry_cut.undo',
    summary: 'Undo a cut',
    says: 'Gives a feature back what a cut took out, as far as no other cut takes it out. Cuts can be undone in any order.',
    access: { needs: 'map_entity_edit' },
    on: geometryCut,
    reply: ref(CutDone),
    refuses: REFUSALS,
    handle: ({ ctx, thing }) => undoCut(ctx, thing),
  }),
  post('/geometry/reapply-cut/:history_id', {
    name: 'geometry_cut.reapply',
    summary: 'Apply a cut again',
    says: 'Applies a cut that is undone or pending, with the present shape of what it comes from or, with refresh=false, with its own.',
    access: { needs: 'map_entity_edit' },
    on: geometryCut,
    body: Reapply,
    reply: ref(CutDone),
    refuses: REFUSALS,
    handle: ({ ctx, thing, body }) => reapplyCut(ctx, thing, body.refresh !== false),
  }),
  get('/geometry/history/:feature_id', {
    name: 'geometry_cut.show_history',
    summary: 'List the steps of a feature’s cuts',
    says: 'Returns every cut, undo and reapplication of a feature, and when its outline was drawn again, newest first.',
    access: { needs: 'map_view' },
    on: cuttable,
    reply: Type.Array(ref(CutStep)),
    handle: ({ ctx, thing }) => showSteps(ctx, thing),
  }),
  get('/geometry/pending-cuts/:feature_id', {
    name: 'geometry_cut.list_pending',
    summary: 'List a feature’s pending cuts',
    says: 'Returns the cuts of a feature that a person should decide on, the oldest first, each with the reason.',
    access: { needs: 'map_view' },
    on: cuttable,
    reply: Type.Array(ref(PendingCut)),
    handle: ({ ctx, thing }) => showPending(ctx, thing),
  }),
]
