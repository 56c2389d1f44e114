export { ensureFfmpeg, findFfmpeg, missingEncoders } from '../../edge/media/ffmpeg.ts';
