import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fetchFile } from '../base/api.ts'
import { SELDOM } from '../base/lists.ts'
import { useUrl } from '../base/records/picture.ts'

/**
 * A site as it looks on the map now; a plain space until it is there, and for people who can't see the map. It is fetched once it is on the screen: a list can
 * have all sites of an installation.
 */
export default function SitePicture({ site_id }: { site_id: string }) {
  const box = useRef<HTMLSpanElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (box.current === null) return
    const looking = new IntersectionObserver(entries => setSeen(now => now || entries.some(one => one.isIntersecting)))
    looking.observe(box.current)
    return () => looking.disconnect()
  }, [])
  const { data } = useQuery({
    queryKey: ['site-picture', site_id],
    queryFn: ({ signal }) => fetchFile(`/tiles/sites/${site_id}/preview.webp`, signal),
    enabled: seen,
    staleTime: SELDOM,
    retry: false,
  })
  const url = useUrl(data)
  return (
    <span ref={box} className="site-picture">
      {url !== null && <img src={url} alt="" width={640} height={400} />}
    </span>
  )
}
