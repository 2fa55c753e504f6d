// The photos of a gang or a machine in its panel, by day. A phone takes one and sends it when there is a connection.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instantOf } from '../../../../../shared/time.ts'
import { ask, client, fetchFile } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast, toastFault, Wait } from '../../../../base/kit/note.tsx'
import { perform } from '../../../../base/outbox.ts'
import { queries } from '../../../../base/query.ts'
import { markedCaption, markedName } from '../../../../base/records/marks.ts'
import { type Photo, PhotoStrip, useWaitingPhotos } from '../../../../base/records/photo-strip.tsx'
import { showFile } from '../../../../base/save.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf, momentOf } from '../../../../base/time.ts'
import { byDay, type DayPhoto, dayForPhoto, firstShown } from '../day-photos.ts'
import { t } from '../says.ts'
import type { Token } from '../tokens.ts'
import { useCanAddPhotos } from '../tokens-data.ts'
import { PhotoActions } from './photo-actions.tsx'

const MOST = 1000
/** The most characters of a caption. */
const CAPTION_MOST = 500

/** The photos of a token, or of all days of its schedule. */
function usePhotos(token: Token, from: string | null) {
  const { site_id, id } = token
  const schedule_group_id = token.token === 'delivery' ? null : token.schedule_group_id // deliveries don’t repeat
  const of = schedule_group_id === null ? { token_id: [id] } : { schedule_group_id: [schedule_group_id] }
  return useQuery({
    queryKey: ['day-photos', site_id, of, from],
    queryFn: () =>
      ask(
        client.GET('/sites/{site_id}/token-photos', {
          params: { path: { site_id }, query: { ...of, limit: MOST, ...(from === null ? {} : { from }) } },
        }),
      ),
  })
}

/** The photos of a gang or a machine by day, the last day first, and the button that takes one. */
export function DayPhotos({ token }: { token: Token }) {
  const mayAdd = useCanAddPhotos(token)
  const { zone } = useHere()
  const [now] = useState(() => Date.now())
  const [all, setAll] = useState(false)
  const photos = usePhotos(token, all ? null : firstShown(token, zone, now))
  const waiting = useWaitingPhotos(token.id, '/token-photos')
  const days = byDay(photos.data ?? [])
  const day = dayForPhoto(token, zone, now)
  const named = (date: string) => dayOf(instantOf(zone, date, '12:00'), zone)
  return (
    <section className="stack tight floating-photos" aria-label={t('day_photos.title')}>
      <h3>{t('day_photos.title')}</h3>
      {mayAdd && day !== null && <TakePhoto token={token} work_date={day} />}
      <Wait query={photos} rows={1} height={96} />
      {photos.data !== undefined && days.length + waiting.length === 0 && <p className="small soft">{t('day_photos.none')}</p>}
      <PhotoStrip label={t('photos.waiting')} photos={waiting} />
      {days.map(({ work_date, photos: of_day }) => (
        <div key={work_date} className="stack tight">
          <h4 className="small">{named(work_date)}</h4>
          <PhotoStrip
            label={t('day_photos.of', { day: named(work_date) })}
            photos={of_day.map(photo => shownOf(mayAdd ? token : null, zone, photo))}
          />
        </div>
      ))}
      {photos.data !== undefined && !all && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {t('day_photos.earlier')}
        </Button>
      )}
    </section>
  )
}

type NewPhoto = Pick<DayPhoto, 'token_kind' | 'token_id' | 'work_date'> & Partial<Pick<DayPhoto, 'photo_kind' | 'caption'>>

/** Adds a photo of a day in the panel of a token, stored on this device until the service has it. Returns whether the service has it already. */
async function addPhoto(token: Token, body: NewPhoto, blob: Blob, name: string): Promise<boolean> {
  const { outcome } = await perform({
    site_id: token.site_id,
    subject: { kind: token.token, id: token.id, label: token.name },
    says: `${t('day_photos.take')}: ${token.name}`,
    method: 'POST',
    path: `/sites/${token.site_id}/token-photos`,
    body,
    file: { blob, name, slot: null },
  })
  if (outcome === 'accepted') await queries.invalidateQueries({ queryKey: ['day-photos'] })
  return outcome === 'accepted'
}

/** The button opens the camera of a phone; elsewhere it opens the files. */
function TakePhoto({ token, work_date }: { token: Token; work_date: string }) {
  const [busy, setBusy] = useState(false)
  const add = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy(true)
    try {
      if (!(await addPhoto(token, { token_kind: token.token, token_id: token.id, work_date }, file, file.name))) toast(t('outbox.saved'))
    } catch (error) {
      toastFault(error)
    }
    setBusy(false)
  }
  return (
    <label className="btn wide">
      <Glyph name={busy ? 'clock' : 'camera'} />
      {t('day_photos.take')}
      <input
        className="unseen"
        type="file"
        accept="image/*"
        capture="environment"
        onChange={event => {
          void add(event.target.files?.[0])
          event.target.value = '' // the same photo can be chosen again after a refusal
        }}
      />
    </label>
  )
}

/** A photo of a day. If the person can add photos to its token, they can mark a copy, which belongs to the same day. */
function shownOf(token: Token | null, zone: string, photo: DayPhoto): Photo {
  const { site_id, filename, caption, token_kind, token_id, work_date, photo_kind } = photo
  const path = `/sites/${site_id}/token-photos/${photo.id}/download`
  const taken =
    photo.taken_at === null
      ? []
      : [t(photo.date_mismatch ? 'day_photos.other_day' : 'day_photos.taken', { time: momentOf(photo.taken_at, zone) })]
  return {
    id: photo.id,
    name: caption ?? filename,
    ...(taken.length === 0 ? {} : { about: taken.join() }),
    thumb: { path: `${path}?variant=thumb` },
    large: { path: `${path}?variant=preview` },
    onOpen: () => void fetchFile(path).then(showFile).catch(toastFault),
    ...(token !== null && {
      onMarked: (copy: Blob) => {
        const about = caption === null ? {} : { caption: markedCaption(caption, CAPTION_MOST) }
        return addPhoto(token, { token_kind, token_id, work_date, photo_kind, ...about }, copy, markedName(filename))
      },
    }),
    actions: <PhotoActions key={photo.id} photo={photo} />,
  }
}
