import { open } from 'node:fs/promises'
import { HOUR, later } from '../../../../../shared/time.ts'
import { ChildProblem } from '../../../../base/child/open.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, invalidField, refuse, unsupportedMedia } from '../../../../base/errors.ts'
import { onlyFile, type Upload } from '../../../../base/files.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { keepFile } from '../../../../kernel/evidence/door.ts'
import { runsOf } from '../../../../kernel/jobs/door.ts'
import { drawings } from '../../kit/actions/process.ts'
import { endedText } from '../../kit/actions/upload.ts'
import { sizeOf } from '../../kit/domain/dxf-report.ts'
import { metresOf } from '../../kit/domain/dxf-shapes.ts'
import { viewOf } from '../../kit/domain/dxf-view.ts'
import { importState, layerFaults, type Report, SESSION_HOURS } from '../domain/plans.ts'
import { type ImportRow, importRow, insertImport, openImports, planRow, plansOfLevel, spendImport } from '../queries.ts'
import type { ImportDrawing } from '../schema/plans.ts'
import { holdLevels, planFromDrawing } from './change.ts'
import { showOne } from './show.ts'

/** An inspected upload. */
export type BroughtDrawing = { sha256: string; size: number; filename: string; report: Report }

/** What is larger than this can’t be placed on the Earth, in metres. */
const LARGEST_M = 1e12

const SENTINEL = 'AutoCAD Binary DXF'

/** Refuses what isn't a DXF file, by its first bytes. */
async function checkType(upload: Upload): Promise<void> {
  const file = await open(upload.path)
  const { buffer } = await file.read(Buffer.alloc(64), 0, 64, 0).finally(() => file.close())
  const head = buffer.toString('latin1')
  if (/^AC10\d\d/.test(head))
    refuse(unsupportedMedia(`“${upload.filename}” is a DWG file. Save it as DXF in the program that it comes from, and send that.`))
  if (!head.startsWith(SENTINEL) && !/^(\xef\xbb\xbf)?\s*(0|999)[ \t]*[\r\n]/.test(head))
    refuse(unsupportedMedia(`“${upload.filename}” isn’t a DXF file. Send a DXF file, as text or binary.`))
}

/** Inspects a drawing and stores its bytes, before the transaction begins. */
export async function bringDrawing(house: House, uploads: readonly Upload[]): Promise<BroughtDrawing> {
  const upload = onlyFile(uploads)
  if (upload.size === 0) refuse(invalidField('file', 'is empty. Send the whole file.'))
  await checkType(upload)
  try {
    const report = await drawings.inspect(upload.path)
    await house.storage.keep(upload.sha256, upload.path, 'image/vnd.dxf')
    return { sha256: upload.sha256, size: upload.size, filename: upload.filename, report }
  } catch (error) {
    const said = error instanceof ChildProblem ? error.message : endedText(error)
    if (said !== null) return refuse(invalidField('file', said))
    throw error
  }
}

/** Stores an inspection, which can be imported for a day. */
export async function inspect(ctx: Ctx, site_id: Id, { report, ...file }: BroughtDrawing) {
  await keepFile(ctx, site_id, { ...file, media_type: 'image/vnd.dxf', width: null, height: null })
  const id = ids.next()
  const expires_at = later(ctx.now, SESSION_HOURS * HOUR)
  await insertImport(ctx.db, { site_id, id, ...file, report, expires_at })
  return { session_id: id, expires_at, ...report }
}

/** Makes a floor plan from an inspected drawing. */
export async function importDrawing(ctx: Ctx, body: ImportDrawing) {
  const session = await importRow(ctx.db, body.site_id, body.session_id)
  if (session === null) return refuse(invalidField('session_id', 'isn’t a drawing that was inspected on this site.'))
  if (session.floor_plan_id !== null) enforce([conflict('session_spent', 'This drawing was imported already. Inspect it again.')])
  if (session.expires_at <= ctx.now)
    enforce([conflict('session_spent', `This drawing was inspected more than ${SESSION_HOURS} hours ago. Inspect it again.`)])
  const { report } = session
  const faults: FieldFault[] = []
  const units = body.units ?? report.units ?? 0
  const metres = metresOf(units)
  if (metres === null) faults.push({ path: 'units', message: 'is required, because the drawing doesn’t say what its units are.' })
  else if (report.extents !== null && sizeOf(report.extents) * metres > LARGEST_M)
    faults.push({ path: 'units', message: 'makes the drawing larger than any building can be. Choose other units.' })
  faults.push(...layerFaults(report, body.layers))
  if (report.extents === null && body.layers == null)
    faults.push({ path: 'session_id', message: 'is a drawing that shows nothing in the model space.' })
  if (faults.length > 0 || metres === null) return refuse(invalid(faults))
  const level_index = body.level_index ?? 0
  // Of two drawings that are imported for a level at once, the second finds the first.
  await holdLevels(ctx, [{ site_id: body.site_id, feature_id: body.feature_id, level_index }])
  const running = (await plansOfLevel(ctx.db, body.site_id, body.feature_id, level_index)).find(
    plan => plan.source_kind === 'dxf' && plan.status === 'processing',
  )
  if (running !== undefined)
    enforce([
      conflict('import_running', 'Another drawing is being imported for this level. Wait until it is done.', { floor_plan_id: running.id }),
    ])
  const extents = report.extents ?? [0, 0, 1, 1]
  const { filename, sha256, size } = session
  const sheet = { units, metres, layers: body.layers ?? null, extents, view: viewOf(extents, metres) }
  const row = await planFromDrawing(ctx, body, { filename, sha256, size }, sheet)
  await spendImport(ctx.db, body.site_id, session.id, row.id)
  return showOne(ctx, row)
}

/** Returns how far an import is. */
export async function progressOf(ctx: Ctx, session: ImportRow) {
  const plan = session.floor_plan_id === null ? null : await planRow(ctx.db, session.site_id, session.floor_plan_id, false)
  const [run = null] = plan?.job_id == null ? [] : await runsOf(ctx.db, { ids: [plan.job_id], limit: 1, after: null })
  const { state, progress } = importState(run, plan?.status ?? (session.floor_plan_id === null ? null : 'failed'))
  return {
    session_id: session.id,
    file_name: session.filename,
    state,
    progress,
    message: run?.message ?? null,
    floor_plan_id: session.floor_plan_id,
    counts: plan?.vector.counts ?? {},
    error: plan?.status_reason ?? (state === 'failed' ? (run?.error_detail ?? 'The floor plan was removed.') : null),
    expires_at: session.expires_at,
  }
}

/** Lists the imports of a site that aren't finished, the caller's first. */
export async function activeImports(ctx: Ctx, site_id: Id) {
  const rows = await openImports(ctx.db, site_id, ctx.now, ctx.actor.id)
  return Promise.all(rows.map(row => progressOf(ctx, row)))
}
