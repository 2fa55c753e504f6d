// The only way from a received file to an upload: without a scan no room ever sees a file. The type of uploads has a mark that only this file gives.
import type { FastifyRequest } from 'fastify'
import type { Rank } from './admission.ts'
import type { House } from './ctx.ts'
import { leavePlace, retakePlace } from './entry.ts'
import { malwareFound, refuse, scannerAway, scannerLimit } from './errors.ts'
import { type Received, SCANNED, type Upload } from './files.ts'

/**
 * Scans the files of a request for malware, if a scanner is set, and returns them as uploads. Refuses all of them if one contains malware or can't be
 * scanned. The request gives up its place meanwhile, because a scan can take seconds.
 */
export async function scannedFiles(
  house: House,
  request: FastifyRequest,
  rank: Rank | 'vital',
  received: readonly Received[],
): Promise<Upload[]> {
  if (house.scanner !== null && received.length > 0) {
    leavePlace(request)
    for (const file of received) await scanOne(house, request, file)
    if (rank !== 'vital') retakePlace(house, rank, request)
  }
  return received.map(file => ({ ...file, [SCANNED]: true }))
}

async function scanOne(house: House, request: FastifyRequest, file: Received): Promise<void> {
  const scan = (await house.scanner?.scan(file.path)) ?? { result: 'clean' }
  if (scan.result === 'clean') return
  const { walkdown } = request
  const operation = walkdown?.route.name ?? 'upload'
  const about = { request_id: request.id, operation, actor: walkdown?.actor.id ?? null, site_id: walkdown?.site_id ?? null }
  // The name of the file is left out, because people write names of people into it.
  const { sha256, size } = file
  const event = scan.result === 'found' ? 'malware_found' : 'scan_failed'
  const why = scan.result === 'found' ? scan.name : scan.result === 'too_large' ? 'The file is larger than the scanner accepts.' : scan.why
  house.log[scan.result === 'found' ? 'warn' : 'error']({ event, why, sha256, size, ...about }, 'upload refused')
  house.lines.push({
    source: 'server',
    level: scan.result === 'found' ? 'warn' : 'error',
    kind: event,
    name: operation,
    message: `${why} (SHA-256 ${sha256}, ${size} bytes)`,
    request_id: request.id,
    user_id: walkdown?.actor.kind === 'user' ? walkdown.actor.id : null,
    site_id: walkdown?.site_id ?? null,
  })
  refuse(
    scan.result === 'found'
      ? malwareFound(file.field, file.filename)
      : scan.result === 'too_large'
        ? scannerLimit(file.filename)
        : scannerAway(),
  )
}
