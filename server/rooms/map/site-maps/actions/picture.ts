import { Readable } from 'node:stream'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { conflict, enforce, notFound, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import { download, fileOf } from '../../../../kernel/evidence/door.ts'
import { heavy, type quick } from '../../kit/actions/process.ts'
import { bytesAt, fetchTo, withScratch } from '../../kit/actions/stored.ts'
import type { Picture } from '../../kit/domain/orders.ts'
import { PREVIEW_SIDE } from '../domain.ts'
import type { SiteMapRow } from '../queries.ts'

type Of = Pick<SiteMapRow, 'sha256' | 'page' | 'media_type' | 'width_px' | 'height_px'>

/** Returns the storage key of a preview. */
export const previewKey = ({ sha256, page }: Pick<SiteMapRow, 'sha256' | 'page'>): string =>
  `${sha256}.plan-${page ?? 0}-${PREVIEW_SIDE}.webp`

/** Returns the picture of a site map, as the process that reads plans takes it. */
export const pictureOf = (map: Of, path: string): Picture => ({
  path,
  type: map.media_type,
  page: map.page ?? 1,
  width: map.width_px,
  height: map.height_px,
})

/** Makes the preview of a site map, unless it exists. */
export async function makePreview(
  house: House,
  map: Of,
  how: { by: typeof heavy | typeof quick; report?: (fraction: number) => void },
): Promise<void> {
  const key = previewKey(map)
  if (await house.storage.has(key)) return
  await withScratch(house, async path => {
    const [from, out] = [path(), path()]
    await fetchTo(house, map.sha256, from)
    await how.by.preview(pictureOf(map, from), PREVIEW_SIDE, out, how.report)
    await house.storage.keep(key, out, 'image/webp')
  })
}

/** Returns the uploaded file, or its preview. */
export async function imageOf(ctx: Ctx, map: SiteMapRow, variant: 'original' | 'preview'): Promise<FileAnswer> {
  const file = (await fileOf(ctx.db, map.site_id, map.sha256)) ?? refuse(notFound())
  if (variant === 'original') return download(ctx, file, map.filename)
  if (map.status === 'processing' || map.status === 'failed')
    enforce([conflict('not_ready', 'This site map has no preview, because it hasn’t been read yet.', { status: map.status })])
  const key = previewKey(map)
  // A restored back-up has no previews.
  await makePreview(ctx.house, map, { by: heavy })
  const bytes = await bytesAt(ctx.house, key)
  return {
    name: 'preview.webp',
    type: 'image/webp',
    size: bytes.length,
    etag: `${map.sha256.slice(0, 32)}-${map.page ?? 0}-preview`,
    inline: true,
    open: async range => Readable.from(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
  }
}
