import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Notice } from '../ui/parts';
import { change, draft } from './draft';
import { cut, middle, refusal, type Square } from './shrink';

type CropPart = ComponentType<{ image: HTMLImageElement; onSquare: (square: Square) => void }>;

/** The step for choosing and cropping the picture. */
export function PictureStep(props: { locked: boolean }) {
  const { picture } = draft.value;
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [Crop, setCrop] = useState<CropPart | null>(null);
  const [wrong, setWrong] = useState('');
  const square = useRef<Square | null>(null);

  const choose = async (file: File | undefined) => {
    if (!file) return;
    setWrong('');
    const said = await refusal(file);
    if (said) return setWrong(said);
    const chosen = new Image();
    chosen.src = URL.createObjectURL(file);
    try {
      await chosen.decode();
    } catch {
      return setWrong('This file is damaged. Choose another one.');
    }
    square.current = middle(chosen.naturalWidth, chosen.naturalHeight);
    try {
      const part = await import('./crop');
      setCrop(() => part.Crop);
    } catch {
      // Without the cropper the middle of the picture is used.
    }
    setImage(chosen);
  };
  const use = async () => {
    if (!image || !square.current) return;
    try {
      change({ picture: { data: await cut(image, square.current), uri: null } });
      URL.revokeObjectURL(image.src);
      setImage(null);
    } catch (cause) {
      setWrong((cause as Error).message);
    }
  };
  return (
    <>
      {image ? (
        <>
          {Crop ? (
            <Crop
              image={image}
              onSquare={(s) => {
                square.current = s;
              }}
            />
          ) : null}
          <p class="buttons">
            <button type="button" onClick={() => void use()}>
              Use this crop
            </button>
            <button type="button" class="plain" onClick={() => setImage(null)}>
              Cancel
            </button>
          </p>
        </>
      ) : (
        <div class="picture">
          {picture ? <img src={picture.data} alt="Your choice" width={96} height={96} /> : null}
          <div class="field">
            <label for="picture">{picture ? 'Choose another picture' : 'Choose a picture'}</label>
            <input
              id="picture"
              type="file"
              accept="image/png,image/jpeg,image/webp"
              disabled={props.locked}
              aria-describedby="picture-hint"
              onChange={(e) => {
                void choose(e.currentTarget.files?.[0]);
                e.currentTarget.value = '';
              }}
            />
            <p class="hint" id="picture-hint">
              PNG, JPEG or WebP of any size. It is cropped to a square and resized here.
            </p>
          </div>
        </div>
      )}
      {wrong ? (
        <Notice kind="bad">
          <p>{wrong}</p>
        </Notice>
      ) : null}
    </>
  );
}
