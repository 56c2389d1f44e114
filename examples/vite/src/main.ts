import { MediaPlayer } from 'dashjs';
import { attachSammy } from 'dashjs-sammy';

const manifestUrl =
  new URLSearchParams(location.search).get('manifest') ?? 'http://localhost:8081/manifest.mpd';

const player = MediaPlayer().create();
const sammy = attachSammy(player);
player.initialize(document.querySelector('video')!, manifestUrl, true);

const output = document.querySelector('output')!;
sammy.on('decision', ({ media_type, requested_kbps, applied_kbps }) => {
  if (media_type !== 'video' || requested_kbps === null) return;
  output.textContent = `asked for ${requested_kbps} kbit/s, the edge set ${applied_kbps ?? 'none'}`;
});
sammy.on('warning', ({ message }) => console.warn(message));
