mod obligations;
