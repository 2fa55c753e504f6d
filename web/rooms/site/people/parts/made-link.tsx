import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { saveFile } from '../../../../base/save.ts'
import { t } from '../says.ts'

/** A link to join with, shown only once: as a QR code for the site office door, and as a URL to send. */
export type Shown = {
  title: string
  url: string
  qr_svg: string
  /** Name of the person it is for, when it could not be emailed to them. */
  by_hand?: string
}

/** Shows a link that was just made. */
export function MadeLink({ link, onClose }: { link: Shown; onClose(): void }) {
  const picture = `data:image/svg+xml;utf8,${encodeURIComponent(link.qr_svg)}`
  return (
    <Window title={link.title} onClose={onClose}>
      {link.by_hand === undefined ? (
        <Note kind="act">{t('people.this_once')}</Note>
      ) : (
        <Note kind="warn" title={t('people.no_mail')}>
          <p>{t('people.no_mail_says', { name: link.by_hand })}</p>
        </Note>
      )}
      <img className="qr" src={picture} alt={t('people.qr')} width={240} height={240} />
      <TextField label={t('people.address')} readOnly className="mono" value={link.url} onFocus={event => event.target.select()} />
      <div className="row">
        <Button
          look="primary"
          onClick={() =>
            void navigator.clipboard
              .writeText(link.url)
              .then(() => toast(t('common.copied')))
              .catch(() => toast(t('people.copy_by_hand'), { stop: true }))
          }
        >
          {t('people.copy_link')}
        </Button>
        <Button onClick={() => saveFile('invitation.svg', new Blob([link.qr_svg], { type: 'image/svg+xml' }))}>
          {t('people.save_qr')}
        </Button>
      </div>
    </Window>
  )
}
