import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../base/api.ts'
import { SELDOM } from '../base/lists.ts'
import { useUrl } from '../base/records/picture.ts'

/** A site as it looks on the map now; a plain space until it is there, and for people who can't see the map. */
export default function SitePicture({ site_id }: { site_id: string }) {
  const { data } = useQuery({
    queryKey: ['site-picture', site_id],
    queryFn: ({ signal }) => fetchFile(`/tiles/sites/${site_id}/preview.webp`, signal),
    staleTime: SELDOM,
    retry: false,
  })
  const url = useUrl(data)
  return <span className="site-picture">{url !== null && <img src={url} alt="" width={640} height={400} />}</span>
}
