// Photos of the demo site: drawings of our own, with the time that the camera of a phone would have written.
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { dateOn, HOUR, type Instant, later, ms, plusDays, wallOf } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { formOf } from '../base/multipart.ts'
import type { Row } from './reply.ts'
import { ZONE } from './site.ts'

type Call = (by: string, method: 'GET' | 'POST', path: string, body?: unknown, type?: string) => Promise<Row>

const [WIDE, HIGH] = [1200, 900]
const many = (n: number, each: (i: number) => string): string => Array.from({ length: n }, (_, i) => each(i)).join('')

/** The sky, and the ground from this height on. */
const ground = (sky: string, from: number, earth: string): string =>
  `<rect width="${WIDE}" height="${HIGH}" fill="${sky}"/><rect y="${from}" width="${WIDE}" height="${HIGH - from}" fill="${earth}"/>`

/** Reinforcement on a slab, of which a part is done. */
const slab = (done: number): string =>
  `${ground('#b9cbd8', 260, '#8d8a83')}<path d="M60 860L330 300h560l250 560z" fill="#a7a39a"/>
  <g stroke="#7a4a2c" stroke-width="7">${many(done, i => `<path d="M${110 + i * 60} 850L${350 + i * 32} 310"/>`)}${many(9, i => `<path d="M${80 + (8 - i) * 28} ${840 - i * 62}h${110 + done * 44 - i * 14}"/>`)}</g>
  <g fill="#2d3b47"><rect x="930" y="120" width="26" height="200"/><rect x="700" y="90" width="26" height="220"/><rect x="930" y="120" width="180" height="14"/></g>`

/** A trench with the shoring boxes that are in. */
const trench = (boxes: number): string =>
  `${ground('#c7d3d6', 240, '#9a7d57')}<path d="M420 900L560 250h90l160 650z" fill="#4f3d29"/>
  <g fill="#d8a21c" stroke="#5d4a14" stroke-width="6">${many(boxes, i => `<path d="M${425 + i * 28} ${820 - i * 130}h${370 - i * 74}v44h-${370 - i * 74}z"/>`)}</g>
  <g fill="#e08a1e"><rect x="860" y="300" width="240" height="130" rx="18"/><path d="M880 310L700 170l-60 170 26 8 44-120 150 120z"/></g><rect x="850" y="430" width="270" height="46" rx="23" fill="#33302c"/>`

/** A tower crane with its load at a height. */
const crane = (load: number): string =>
  `${ground('#a9c6de', 700, '#86817a')}<g fill="none" stroke="#c9372c" stroke-width="10"><path d="M560 800V160h60v640M250 160h760M590 60L250 160M590 60l420 100M590 60v100"/>
  ${many(10, i => `<path d="M560 ${160 + i * 64}l60 64M620 ${160 + i * 64}l-60 64"/>`)}</g><path d="M330 160v${load}" stroke="#222" stroke-width="5"/><rect x="270" y="${160 + load}" width="120" height="46" fill="#8a5a34"/>
  <rect x="700" y="420" width="400" height="380" fill="#b7b2a8"/><g fill="#8f8a80">${many(4, i => `<rect x="700" y="${420 + i * 96}" width="400" height="16"/>`)}</g>`

type Shot = { drawing: string; caption: string; days_ago: number; hour: number; photo_kind: string }

const OF_GANGS: Readonly<Record<string, readonly Shot[]>> = {
  'Steel fixers A': [
    { drawing: slab(5), caption: 'Bay 1 to 3 fixed', days_ago: 1, hour: 15, photo_kind: 'progress' },
    { drawing: slab(9), caption: 'Bay 4, ready for inspection', days_ago: 0, hour: 8, photo_kind: 'start' },
  ],
  'Drainage gang': [
    { drawing: trench(1), caption: 'First box in at MH4', days_ago: 1, hour: 10, photo_kind: 'progress' },
    { drawing: trench(4), caption: 'Shored as far as MH5', days_ago: 0, hour: 8, photo_kind: 'condition' },
  ],
}
const OF_PLANT: Readonly<Record<string, readonly Shot[]>> = {
  'Tower crane 1': [
    { drawing: crane(200), caption: 'Pre-use check done', days_ago: 2, hour: 7, photo_kind: 'condition' },
    { drawing: crane(430), caption: 'Formwork tables to level 5', days_ago: 1, hour: 14, photo_kind: 'progress' },
  ],
}

/** Adds a few photos of the last days, as supervisors take them. */
export async function takePhotos(call: Call, site_id: Id, now: Instant): Promise<void> {
  const { default: sharp } = await import('sharp')
  const today = dateOn(ZONE, now)
  const add = async (
    token: { token_kind: 'worker' | 'plant'; token_id: string },
    { drawing, caption, days_ago, hour, photo_kind }: Shot,
  ) => {
    const planned = later(now, -days_ago * 24 * HOUR)
    const { date, time } = wallOf(ZONE, planned)
    // At that hour of its day, but never in the future.
    const at = days_ago === 0 && Number(time.slice(0, 2)) < hour ? `${date} ${time}` : `${date} ${String(hour).padStart(2, '0')}:40`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}">${drawing}</svg>`
    const bytes = await sharp(Buffer.from(svg))
      .withExif({ IFD2: { DateTimeOriginal: `${at.replaceAll('-', ':')}:00` } })
      .jpeg({ quality: 82 })
      .toBuffer()
    const said = { ...token, caption, photo_kind, work_date: plusDays(today, -days_ago) }
    const { type, payload } = formOf(`photo-${ms(planned)}.jpg`, bytes, said)
    await call('cora', 'POST', `/sites/${site_id}/token-photos`, payload, type)
  }
  for (const [name, shots] of Object.entries(OF_GANGS))
    for (const shot of shots) {
      const from = later(now, -shot.days_ago * 24 * HOUR)
      const query = `site_id=${site_id}&q=${encodeURIComponent(name)}&limit=50`
      const rows = itemsIn((await call('cora', 'GET', `/workers/?${query}`)).rows).map(fieldsIn)
      const row = rows.find(one => one.name === name && dateOn(ZONE, textIn(one.start_at)) === dateOn(ZONE, from))
      if (row !== undefined) await add({ token_kind: 'worker', token_id: textIn(row.id) }, shot) // on a Monday, yesterday had no shift
    }
  for (const [name, shots] of Object.entries(OF_PLANT)) {
    const rows = itemsIn((await call('cora', 'GET', `/plant?site_id=${site_id}&q=${encodeURIComponent(name)}&limit=5`)).rows).map(fieldsIn)
    const row = rows.find(one => one.name === name)
    if (row !== undefined) for (const shot of shots) await add({ token_kind: 'plant', token_id: textIn(row.id) }, shot)
  }
}
