import { useRef } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { type Line, lineOf, moved } from '../model.ts'
import { t } from '../says.ts'
import { Movers } from './movers.tsx'

/** An ordered list that is edited in place: text, whether it is required, up, down, delete. Enter adds the next line. */
export function ListEditor({
  legend,
  hint,
  add,
  required,
  lines,
  onChange,
}: {
  legend: string
  hint: string
  /** Label of the button that adds a line. */
  add: string
  /** Label of the checkbox of a line. */
  required: string
  lines: readonly Line[]
  onChange(lines: Line[]): void
}) {
  const fresh = useRef('')
  const change = (at: number, part: Partial<Line>) => onChange(lines.map((line, i) => (i === at ? { ...line, ...part } : line)))
  const addLine = () => {
    const line = lineOf({ key: null, label: '', required: false })
    fresh.current = line.id
    onChange([...lines, line])
  }
  return (
    <fieldset className="fieldset stack tight list-editor">
      <legend>{legend}</legend>
      <span className="soft small">{hint}</span>
      <ol>
        {lines.map((line, at) => {
          const name = line.label === '' ? t('settings.line', { n: at + 1 }) : line.label
          return (
            <li key={line.id}>
              {/* A text of several lines is shown in full, but is one line: Enter adds the next one. */}
              <textarea
                className="input"
                rows={1}
                // biome-ignore lint/a11y/noAutofocus: the person added the line to type in it.
                autoFocus={line.id === fresh.current}
                aria-label={`${legend} ${at + 1}`}
                value={line.label}
                maxLength={300}
                onChange={event => change(at, { label: event.target.value.replace(/\s*\n\s*/g, ' ') })}
                onKeyDown={event => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  if (at === lines.length - 1) addLine()
                }}
              />
              <label className="must">
                <input type="checkbox" checked={line.required} onChange={event => change(at, { required: event.target.checked })} />
                <span>{required}</span>
                <span className="unseen">{name}</span>
              </label>
              <Movers
                name={name}
                at={at}
                length={lines.length}
                onMove={by => onChange(moved(lines, at, by))}
                onRemove={() => onChange(lines.filter(one => one.id !== line.id))}
              />
            </li>
          )
        })}
      </ol>
      <span>
        <Button onClick={addLine}>
          <Glyph name="plus" />
          {add}
        </Button>
      </span>
    </fieldset>
  )
}
