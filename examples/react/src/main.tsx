import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Player } from './Player.tsx';

const manifestUrl =
  new URLSearchParams(location.search).get('manifest') ?? 'http://localhost:8081/manifest.mpd';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <Player manifestUrl={manifestUrl} />
  </StrictMode>,
);
