import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Ctx, type House, RolledBack, reading } from '../../../../base/ctx.ts'
import { enforce, notFound, refuse, unsupportedMedia } from '../../../../base/errors.ts'
import { onlyFile, type Upload } from '../../../../base/files.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { actorFor, personAt } from '../../../../kernel/access/door.ts'
import { type Brought, keepFile, sniff } from '../../../../kernel/evidence/door.ts'
import type { Running } from '../../../../kernel/jobs/door.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { gather, type Register } from './gather.ts'
import { type Uploaded, writeRegister } from './write.ts'

/** What happens before the transaction: the register is read, or its bytes are stored for the job that reads it. */
export type Taken = { register: Register } | { stored: Brought }

const WHOLE = 1

/** Reads the register, or with `later` stores its bytes. */
export async function take(ctx: Ctx, site_id: Id, files: readonly Upload[], format_id: string | undefined, later: boolean): Promise<Taken> {
  const file = onlyFile(files)
  if (file.size === 0) return refuse(unsupportedMedia(`“${file.filename}” is empty. Send a register with rows.`))
  if (!later) return { register: await gather(ctx, site_id, { ...file, format_id }) }
  const media_type = (await sniff(file.path))?.type ?? 'application/octet-stream'
  await ctx.house.storage.keep(file.sha256, file.path, media_type)
  return { stored: { sha256: file.sha256, size: file.size, media_type, width: null, height: null, facts: null, filename: file.filename } }
}

/** Queues an import and returns the id of its job, which shows the progress. */
export async function queueImport(
  ctx: Ctx,
  site_id: Id,
  stored: Brought,
  options: { format_id?: string | undefined; dry: boolean },
): Promise<Id> {
  await keepFile(ctx, site_id, stored)
  const { sha256, filename } = stored
  const input = { sha256, filename, dry: options.dry, ...(options.format_id === undefined ? {} : { format_id: options.format_id }) }
  return ctx.enqueue('permit_import', input, { site_id, message: `Waiting to read ${filename}` })
}

/** Runs the job: reads the stored file, and imports it with the current permissions of the person who uploaded it. */
export async function importStored(job: Running): Promise<Record<string, unknown>> {
  const { house, site_id } = job
  const input = job.input as { sha256: string; filename: string; format_id?: string; dry: boolean } // queueImport wrote it
  const path = join(house.data_dir, 'tmp', ids.next())
  await mkdir(join(house.data_dir, 'tmp'), { recursive: true })
  try {
    await pipeline(await house.storage.open(input.sha256), createWriteStream(path))
    const actor = await whoAsked(house, job.requested_by, site_id)
    const work = { actor, cause: 'permit_set.import' }
    let reported = 0
    const register = await gather(reading(house, work), site_id, { ...input, path }, async ({ rows_read, total }) => {
      const share = total === 0 ? WHOLE : rows_read / total
      if (share - reported < 0.02) return
      reported = share
      await job.progress(share * 0.5, `Reading row ${rows_read.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    })
    await job.progress(0.5, `Writing permits: ${register.rows.length.toLocaleString('en')}`)
    return await writingOn(house, work, site_id, async (ctx): Promise<Uploaded> => {
      const done = await writeRegister(ctx, site_id, register, input.dry)
      if (input.dry) throw new RolledBack(done)
      return done
    })
  } finally {
    await rm(path, { force: true })
  }
}

async function whoAsked(house: House, user_id: Id | null, site_id: Id) {
  const person = user_id === null ? null : await personAt(house.database.db, { id: user_id }, site_id)
  if (person === null) return refuse(notFound())
  const actor = actorFor(person, person.standing, house.settings)
  enforce([actor.lacks('contractor_manage')])
  return actor
}
