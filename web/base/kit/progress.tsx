/** Shows the progress of something, with what it is doing in words. */
export function Progress({ value, label }: { value: number; label: string }) {
  const percent = Math.round(value * 100)
  return (
    <div className="progress" role="status">
      <progress max={100} value={percent} aria-label={label} />
      <span className="small">{label}</span>
      <span className="mono small">{percent}%</span>
    </div>
  )
}
