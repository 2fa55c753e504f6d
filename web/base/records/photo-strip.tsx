import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { Note } from '../kit/note.tsx'
import { Window } from '../kit/window.tsx'
import { useOutbox } from '../outbox.ts'
import { part } from '../part.tsx'
import { t } from '../words.ts'
import { type PictureSource, usePicture } from './picture.ts'
import './photo-strip.css'

const Marking = part(() => import('./marking.tsx'))

/** A photo of a record. */
export type Photo = {
  id: string
  /** Its caption, or the name of its file. */
  name: string
  /** What is known about it, shown below the large picture: when it was taken, who added it. */
  about?: string
  thumb: PictureSource
  large: PictureSource
  /** Opens the original file; not for a photo that is still on this device. */
  onOpen?(): void
  /** Adds a copy with marks on it to the same record, if the person can add photos; returns whether the service has it already. */
  onMarked?(copy: Blob): Promise<boolean>
  /** What the person can do with it, shown below the large picture. */
  actions?: ReactNode
}

/** Returns the photos of a record that are still on this device, by the record's id and the end of the path that they are sent to. */
export function useWaitingPhotos(subject_id: string, ending: string): Photo[] {
  return useOutbox().items.flatMap(item => {
    if (item.file === undefined || item.subject.id !== subject_id || !item.path.endsWith(ending)) return []
    if (!item.file.type.startsWith('image/')) return []
    const source = { waiting: item.key }
    return [{ id: item.id, name: item.file.name, thumb: source, large: source }]
  })
}

/** The photos of a record as small pictures; a tap shows one large, with the next and the previous one. Photos that are still on this device come last. */
export function PhotoStrip({ label, photos }: { label: string; photos: readonly Photo[] }) {
  const [at, setAt] = useState<number | null>(null)
  if (photos.length === 0) return null
  return (
    <>
      <ul className="photo-strip" aria-label={label}>
        {photos.map((photo, n) => (
          <li key={photo.id}>
            <button type="button" onClick={() => setAt(n)}>
              <Small photo={photo} />
              <span className="photo-name tiny">{photo.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {at !== null && <Large photos={photos} at={Math.min(at, photos.length - 1)} onMove={setAt} onClose={() => setAt(null)} />}
    </>
  )
}

const isWaiting = (photo: Photo): boolean => 'waiting' in photo.large

function Small({ photo }: { photo: Photo }) {
  const { url } = usePicture(photo.thumb)
  return (
    <span className="photo-small">
      {url === null ? <Glyph name="camera" /> : <img src={url} alt="" />}
      {isWaiting(photo) && (
        <span className="badge warn photo-waiting">
          <Glyph name="clock" size={14} />
          {t('photos.waiting')}
        </span>
      )}
    </span>
  )
}

type Given = { photos: readonly Photo[]; at: number; onMove(at: number): void; onClose(): void }

function Large({ photos, at, onMove, onClose }: Given) {
  const photo = photos[at]
  const { url, failed } = usePicture(photo?.large ?? null)
  const [marking, setMarking] = useState(false)
  const go = (by: number) => {
    if (at + by >= 0 && at + by < photos.length) onMove(at + by)
  }
  useEffect(() => {
    if (marking) return
    const hear = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return // there, the arrows move the cursor
      if (key === 'ArrowLeft') go(-1)
      if (key === 'ArrowRight') go(1)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  })
  if (photo === undefined) return null
  if (marking && photo.onMarked !== undefined)
    return (
      <Suspense>
        <Marking name={photo.name} source={photo.large} onCopy={photo.onMarked} onEnd={() => setMarking(false)} />
      </Suspense>
    )
  return (
    <Window title={photo.name} onClose={onClose}>
      <div className="stack photo-large">
        {failed && <Note kind="warn">{t('photos.failed')}</Note>}
        {url === null ? !failed && <div className="skeleton photo-empty" aria-busy /> : <img src={url} alt={photo.name} />}
        {photo.about !== undefined && <p className="small soft">{photo.about}</p>}
        {isWaiting(photo) && <p className="small">{t('photos.waiting_says')}</p>}
        <div className="row spread">
          <Button look="quiet" square aria-label={t('photos.previous')} disabled={at === 0} onClick={() => go(-1)}>
            <Glyph name="back" />
          </Button>
          <span className="small soft">{t('photos.at', { at: at + 1, n: photos.length })}</span>
          <Button look="quiet" square aria-label={t('photos.next')} disabled={at === photos.length - 1} onClick={() => go(1)}>
            <Glyph name="next" />
          </Button>
        </div>
        {photo.onMarked !== undefined && url !== null && <Button onClick={() => setMarking(true)}>{t('photos.mark')}</Button>}
        {photo.onOpen !== undefined && <Button onClick={photo.onOpen}>{t('photos.original')}</Button>}
        {photo.actions}
      </div>
    </Window>
  )
}
