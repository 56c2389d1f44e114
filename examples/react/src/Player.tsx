import { useEffect } from 'react';
import { useSammy } from './useSammy.ts';

export function Player({ manifestUrl }: { readonly manifestUrl: string }) {
  const { video, sammy, decision } = useSammy(manifestUrl);
  useEffect(() => sammy?.on('warning', ({ message }) => console.warn(message)), [sammy]);
  const { requested_kbps = null, applied_kbps = null } = decision ?? {};
  return (
    <>
      <video ref={video} muted controls width={640} />
      <p>
        Pace:{' '}
        <output>
          {requested_kbps === null
            ? 'none yet'
            : `asked for ${requested_kbps} kbit/s, the edge set ${applied_kbps ?? 'none'}`}
        </output>
      </p>
    </>
  );
}
