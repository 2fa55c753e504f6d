import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePlace } from '../go.tsx'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { useHere } from '../site.tsx'
import {
  changeViews,
  isShown,
  LONGEST_NAME,
  MOST_VIEWS,
  placeOfView,
  savedViews,
  type View,
  viewCalled,
  withoutView,
  withView,
} from '../views.ts'
import { addWords } from '../words.ts'
import type { ViewsGiven } from './views.tsx'
import './saved-views.css'

const { t } = addWords({
  'views.none': 'You have no saved views of this page yet.',
  'views.delete': 'Delete the view {name}',
  'views.name': 'Name of the view',
  'views.save': 'Save this view',
  'views.replace': 'Replace this view',
  'views.saved': '{name} is saved.',
  'views.nothing': 'Search or filter first. Then you can save it here.',
  'views.full': 'You can save up to {n} views of a page. Delete one first.',
  'views.failed': 'This device couldn’t store the change.',
  'views.unread': 'This device couldn’t read your saved views.',
  'views.where': 'Your views are saved on this device, and only you can see them.',
})

/** The saved views of the page that is shown: choose one, delete one, or save what the page shows now under a name. */
export default function SavedViews({ names, onChoose }: ViewsGiven) {
  const { me, site_id } = useHere()
  const [place] = usePlace()
  const [name, setName] = useState('')
  const [said, setSaid] = useState('')
  const [all, setAll] = useState<readonly View[] | null>(null)
  const path = useRouterState({ select: state => state.location.pathname })
  const page = path.slice(path.indexOf(site_id) + site_id.length)
  useEffect(() => {
    savedViews(me.id, site_id).then(setAll, () => setSaid(t('views.unread')))
  }, [me.id, site_id])
  const change = (make: (views: readonly View[]) => readonly View[], done: string) =>
    changeViews(me.id, site_id, make).then(
      views => {
        setAll(views)
        setSaid(done)
      },
      () => setSaid(t('views.failed')),
    )
  const views = all?.filter(view => view.page === page) ?? []
  const now = placeOfView(place, names)
  const replaces = viewCalled(views, page, name) !== undefined
  const nothing = Object.keys(now).length === 0
  const full = views.length >= MOST_VIEWS && !replaces
  return (
    <div className="saved-views">
      {all !== null && views.length === 0 && <p className="soft small">{t('views.none')}</p>}
      <ul>
        {views.map(view => (
          <li key={view.name}>
            <button
              type="button"
              className="item"
              aria-current={isShown(view, place, names) || undefined}
              onClick={() => onChoose(Object.fromEntries(names.map(one => [one, view.place[one]])))}
            >
              {view.name}
            </button>
            <Button
              look="quiet"
              square
              aria-label={t('views.delete', { name: view.name })}
              onClick={() => change(list => withoutView(list, page, view.name), '')}
            >
              <Glyph name="close" size={16} />
            </Button>
          </li>
        ))}
      </ul>
      {all !== null && (nothing || full) && (
        <p className="soft small">{nothing ? t('views.nothing') : t('views.full', { n: MOST_VIEWS })}</p>
      )}
      {all !== null && !nothing && (
        <form
          className="stack tight"
          onSubmit={event => {
            event.preventDefault()
            const called = name.trim()
            if (called === '' || full) return
            setName('')
            void change(list => withView(list, { page, name: called, place: now }), t('views.saved', { name: called }))
          }}
        >
          <TextField
            label={t('views.name')}
            value={name}
            required
            maxLength={LONGEST_NAME}
            onChange={event => setName(event.target.value)}
          />
          <Button type="submit" wide disabled={full}>
            {replaces ? t('views.replace') : t('views.save')}
          </Button>
        </form>
      )}
      <p className="small" role="status">
        {said}
      </p>
      <p className="soft small">{t('views.where')}</p>
    </div>
  )
}
