import { useId, useState } from 'react'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { t } from '../../../base/words.ts'

/** Several short words: typed and confirmed, or tapped from those that are often said. */
export function TagField({
  label,
  value,
  suggestions,
  onChange,
}: {
  label: string
  value: readonly string[]
  suggestions: readonly string[]
  onChange(tags: string[]): void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const tags = text
      .split(/[,;\n]/)
      .map(one => one.trim())
      .filter(one => one !== '' && !value.includes(one))
    if (tags.length > 0) onChange([...value, ...tags])
    setTyped('')
  }
  const offered = suggestions.filter(one => !value.includes(one)).slice(0, 8)
  return (
    <div className="entry">
      <label htmlFor={id}>{label}</label>
      {value.length > 0 && (
        <ul className="row tight-row">
          {value.map(tag => (
            <li key={tag}>
              <Button
                className="tag"
                aria-label={t('request.take_away', { tag })}
                onClick={() => onChange(value.filter(one => one !== tag))}
              >
                {tag}
                <Glyph name="close" size={14} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <input
          id={id}
          className="input grow"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onBlur={() => add(typed)}
          onKeyDown={event => {
            if (event.key !== 'Enter' && event.key !== ',') return
            event.preventDefault()
            add(typed)
          }}
        />
        <Button aria-label={t('request.add', { what: label })} square onClick={() => add(typed)}>
          <Glyph name="plus" />
        </Button>
      </div>
      {offered.length > 0 && (
        <ul className="row tight-row">
          {offered.map(one => (
            <li key={one}>
              <Button look="quiet" className="tag" onClick={() => onChange([...value, one])}>
                <Glyph name="plus" size={14} />
                {one}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
