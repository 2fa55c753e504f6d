// What a person can do with a photo of a day that is open: change its caption, and delete it.
import { useState } from 'react'
import { ask, client, ifMatch } from '../../../../base/api.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { queries } from '../../../../base/query.ts'
import { useSend } from '../../../../base/send.ts'
import type { DayPhoto } from '../day-photos.ts'
import { t } from '../says.ts'

const moved = () => queries.invalidateQueries({ queryKey: ['day-photos'] })
const callOf = ({ site_id, id, version }: DayPhoto) => ({ params: { path: { site_id, photo_id: id } }, headers: ifMatch(version) })

/** The caption and the deletion of a photo. A person who can change it and can’t delete it reads why. */
export function PhotoActions({ photo }: { photo: DayPhoto }) {
  const [caption, setCaption] = useState<string | null>(null)
  const sending = useSend()
  const { change, delete: removal } = photo.permissions
  if (!change.allowed && !removal.allowed) return null
  const save = () =>
    void sending.send(async () => {
      const said = caption?.trim() ?? ''
      await ask(
        client.PATCH('/sites/{site_id}/token-photos/{photo_id}', { ...callOf(photo), body: { caption: said === '' ? null : said } }),
      )
      await moved()
      setCaption(null)
    })
  const remove = () =>
    void sending.send(async () => {
      await ask(client.DELETE('/sites/{site_id}/token-photos/{photo_id}', callOf(photo)))
      toast(t('day_photos.deleted'))
      await moved()
    })
  return (
    <>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      {caption === null ? (
        <div className="row">
          {change.allowed && <Button onClick={() => setCaption(photo.caption ?? '')}>{t('day_photos.edit')}</Button>}
          {removal.allowed && (
            <HoldButton look="danger" disabled={sending.busy} onHeld={remove}>
              {t('day_photos.delete')}
            </HoldButton>
          )}
        </div>
      ) : (
        <form
          className="stack tight"
          onSubmit={event => {
            event.preventDefault()
            save()
          }}
        >
          <TextField
            label={t('day_photos.caption')}
            value={caption}
            maxLength={500}
            autoFocus
            onChange={event => setCaption(event.target.value)}
          />
          <div className="row">
            <Button type="submit" look="primary" disabled={sending.busy}>
              {t('common.save')}
            </Button>
            <Button onClick={() => setCaption(null)}>{t('common.cancel')}</Button>
          </div>
        </form>
      )}
      {!removal.allowed && <p className="because">{removal.because.map(({ detail }) => detail).join(' ')}</p>}
    </>
  )
}
